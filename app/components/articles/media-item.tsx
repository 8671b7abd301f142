import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Media } from '#shared/news/article';
import { isPublicMedia } from '#shared/news/media/public-media';
import type { FormResult } from '#shared/site/form-result';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Badge } from '~/components/ui/badge';
import { Button, buttonClass, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { Spinner } from '~/components/ui/icons';
import { formatFileSize } from '#shared/format';
import { useHydrated } from '~/components/ui/use-hydrated';
import { articleAddress, deleteMediaAddress, type MediaDetails } from './articles';

interface MediaItemProps {
  media: Media;
  articleId: string;
  page: number;
  featured: boolean;
  first: boolean;
  last: boolean;
  /** Opens the confirmation dialog. */
  onDelete: () => void;
}

/** An image or video of an article, with the forms for its texts, its position and the featured image. */
export function MediaItem({ media, articleId, page, featured, first, last, onDelete }: MediaItemProps) {
  const { id, mediaType, originalName, fileSize, altText, caption, inText } = media;
  const isHidden = !isPublicMedia(media, featured ? id : null);
  const isOurs = ({ values, details }: FormResult<MediaDetails>) =>
    (values?.mediaId ?? details?.mediaId) === id;
  const texts = useForms<MediaDetails>(['caption'], isOurs);
  const position = useForms<MediaDetails>(
    ['move-up', 'move-down', 'feature-image', 'unfeature-image'],
    isOurs,
  );
  const [changed, setChanged] = useState(false);
  // Without scripts the panel shows the notice of the form.
  const hydrated = useHydrated();
  const action = articleAddress(articleId, page);

  const { errors = {}, values = {} } = texts.latest?.ok === false ? texts.latest : {};
  const pendingIntent = position.pendingIntent;
  const shownFeatured =
    pendingIntent === 'feature-image' ? true : pendingIntent === 'unfeature-image' ? false : featured;
  const positionForm = useFocusKept(pendingIntent !== null);
  return (
    <li data-media={id} className="grid gap-4 py-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div>
        <MediaPreview media={media} />
        <p className="mt-2 truncate text-small font-semibold" title={originalName}>
          {originalName}
        </p>
        <p className="text-small text-soft">
          {mediaType === 'image' ? 'Image' : 'Video'}, {formatFileSize(fileSize)}
        </p>
        {shownFeatured || inText || isHidden ? (
          <p className="mt-1.5 flex flex-wrap gap-1.5">
            {shownFeatured ? <Badge>Featured image</Badge> : null}
            {inText ? <Badge>In the text</Badge> : null}
            {isHidden ? <Badge variant="planned">Not in the saved text</Badge> : null}
          </p>
        ) : null}
        {isHidden ? (
          <p className="mt-1 text-small text-soft">
            Uploaded for the text. Visitors see it once it is part of the saved text.
          </p>
        ) : null}
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <texts.Form
          method="post"
          action={action}
          onInput={() => setChanged(true)}
          onSubmit={() => setChanged(false)}
          className="grid gap-3"
        >
          <input type="hidden" name="mediaId" value={id} />
          {mediaType === 'image' ? (
            <TextField
              id={`alt-${id}`}
              name="altText"
              label="Alternative text"
              hint="Describe the image for people who cannot see it."
              autoComplete="off"
              defaultValue={values.altText ?? altText}
              errors={errors.altText}
            />
          ) : null}
          <TextField
            id={`caption-${id}`}
            name="caption"
            label="Caption"
            autoComplete="off"
            defaultValue={values.caption ?? caption}
            errors={errors.caption}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button name="intent" value="caption" pending={texts.pending !== null}>
              Save text
              <HiddenName name={originalName} />
            </Button>
            <p aria-live="polite" className="text-small text-soft">
              {texts.pending !== null
                ? null
                : changed
                  ? 'Not saved yet'
                  : hydrated && texts.result?.ok === true
                    ? 'Saved'
                    : null}
            </p>
          </div>
          {texts.result?.ok === false ? (
            <FormNotice result={texts.result} fields={['altText', 'caption']} />
          ) : null}
        </texts.Form>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
          <position.Form
            ref={positionForm}
            method="post"
            action={action}
            preventScrollReset
            className="flex flex-wrap gap-2.5"
          >
            <input type="hidden" name="mediaId" value={id} />
            <MoveButton intent="move-up" blocked={first} pending={pendingIntent === 'move-up'}>
              Up
              <HiddenName name={originalName} />
            </MoveButton>
            <MoveButton intent="move-down" blocked={last} pending={pendingIntent === 'move-down'}>
              Down
              <HiddenName name={originalName} />
            </MoveButton>
            {mediaType === 'image' ? (
              <Button name="intent" value={shownFeatured ? 'unfeature-image' : 'feature-image'}>
                {shownFeatured ? 'Remove as featured image' : 'Make featured image'}
                <HiddenName name={originalName} />
              </Button>
            ) : null}
          </position.Form>
          <a
            href={deleteMediaAddress(articleId, id, page)}
            onClick={(event) => {
              // With scripts a dialog opens on this page, so that no input is lost.
              event.preventDefault();
              onDelete();
            }}
            className={LINK_BUTTON_CLASS}
          >
            Delete
            <HiddenName name={originalName} />
          </a>
        </div>
        {position.result?.ok === false ? <FormNotice result={position.result} /> : null}
      </div>
    </li>
  );
}

interface MoveButtonProps {
  intent: 'move-up' | 'move-down';
  blocked: boolean;
  pending: boolean;
  children: ReactNode;
}

/** Moves the item up or down. At the ends it does nothing, but stays focusable. */
function MoveButton({ intent, blocked, pending, children }: MoveButtonProps) {
  return (
    <button
      type={blocked || pending ? 'button' : 'submit'}
      name="intent"
      value={intent}
      aria-disabled={blocked || pending || undefined}
      className={`${buttonClass()} ${blocked ? 'cursor-default opacity-60' : ''}`}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  );
}

/** Restores the focus in a form whose list item moved, because moving removes it. */
function useFocusKept(sending: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (sending) {
      if (activeElement instanceof HTMLElement && form.current?.contains(activeElement))
        focused.current = activeElement;
      return;
    }
    if (activeElement === document.body || activeElement?.tagName === 'DIALOG') focused.current?.focus();
    focused.current = null;
  }, [sending]);
  return form;
}

/** The name of a button's file, for screen readers. */
function HiddenName({ name }: { name: ReactNode }) {
  return <span className="sr-only"> {name}</span>;
}

function MediaPreview({ media: { mediaType, sources, filePath, width, height, altText } }: { media: Media }) {
  const className = 'h-auto w-full rounded-control border border-line bg-sunken';
  if (mediaType === 'video') {
    return (
      <video
        src={filePath}
        width={width ?? undefined}
        height={height ?? undefined}
        preload="metadata"
        controls
        // Without a known size the box keeps its shape when the metadata arrives.
        className={width === null ? `${className} aspect-video object-contain` : className}
      />
    );
  }
  return (
    <img
      src={filePath}
      srcSet={sources.map((source) => `${source.path} ${source.width}w`).join(', ')}
      sizes="(min-width: 640px) 11rem, 90vw"
      width={width ?? undefined}
      height={height ?? undefined}
      alt={altText}
      loading="lazy"
      decoding="async"
      className={className}
    />
  );
}
