import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Media } from '#shared/news/article';
import { isPublicMedia } from '#shared/news/media/public-media';
import type { FormResult } from '~/components/forms/result';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Badge } from '~/components/ui/badge';
import { Button } from '~/components/ui/button';
import { buttonClass, LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { Spinner } from '~/components/ui/spinner';
import { TextField } from '~/components/ui/text-field';
import { useHydrated } from '~/components/use-hydrated';
import { articleAddress, deleteMediaAddress, type MediaDetails } from './articles';
import { fileSizeInWords } from './upload-queue';

/** One of an article's images and videos, with the forms for its texts, its place and the featured image. */
export function MediaItem({
  media,
  articleId,
  page,
  featured,
  first,
  last,
  onDelete,
}: {
  media: Media;
  articleId: string;
  page: number;
  featured: boolean;
  first: boolean;
  last: boolean;
  /** Asks whether it is to be deleted. */
  onDelete: () => void;
}) {
  const { id, mediaType, originalName, fileSize, altText, caption, inText } = media;
  const isHidden = !isPublicMedia(media, featured ? id : null);
  const isOurs = ({ values, details }: FormResult<MediaDetails>) =>
    (values?.mediaId ?? details?.mediaId) === id;
  const words = useForms<MediaDetails>(['caption'], isOurs);
  const place = useForms<MediaDetails>(['move-up', 'move-down', 'feature-image', 'unfeature-image'], isOurs);
  const [typed, setTyped] = useState(false);
  // Without scripts the panel shows the notice of the form.
  const hydrated = useHydrated();
  const action = articleAddress(articleId, page);

  const { errors = {}, values = {} } = words.latest?.ok === false ? words.latest : {};
  const sent = place.pendingIntent;
  const shownFeatured = sent === 'feature-image' ? true : sent === 'unfeature-image' ? false : featured;
  const placeForm = useFocusKept(sent !== null);
  return (
    <li data-media={id} className="grid gap-4 py-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div>
        <MediaPreview media={media} />
        <p className="mt-2 truncate text-small font-semibold" title={originalName}>
          {originalName}
        </p>
        <p className="text-small text-soft">
          {mediaType === 'image' ? 'Image' : 'Video'}, {fileSizeInWords(fileSize)}
        </p>
        {shownFeatured || inText || isHidden ? (
          <p className="mt-1.5 flex flex-wrap gap-1.5">
            {shownFeatured ? <Badge>Featured image</Badge> : null}
            {inText ? <Badge>In the text</Badge> : null}
            {isHidden ? <Badge look="planned">Not in the saved text</Badge> : null}
          </p>
        ) : null}
        {isHidden ? (
          <p className="mt-1 text-small text-soft">
            Uploaded for the text. Visitors see it once it is part of the saved text.
          </p>
        ) : null}
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <words.Form
          method="post"
          action={action}
          onInput={() => setTyped(true)}
          onSubmit={() => setTyped(false)}
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
            <Button name="intent" value="caption" pending={words.pending !== null}>
              Save text
              <Of name={originalName} />
            </Button>
            <p aria-live="polite" className="text-small text-soft">
              {words.pending !== null
                ? null
                : typed
                  ? 'Not saved yet'
                  : hydrated && words.result?.ok === true
                    ? 'Saved'
                    : null}
            </p>
          </div>
          {words.result?.ok === false ? (
            <FormNotice result={words.result} fields={['altText', 'caption']} />
          ) : null}
        </words.Form>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
          <place.Form
            ref={placeForm}
            method="post"
            action={action}
            preventScrollReset
            className="flex flex-wrap gap-2.5"
          >
            <input type="hidden" name="mediaId" value={id} />
            <MoveButton intent="move-up" blocked={first} pending={sent === 'move-up'}>
              Up
              <Of name={originalName} />
            </MoveButton>
            <MoveButton intent="move-down" blocked={last} pending={sent === 'move-down'}>
              Down
              <Of name={originalName} />
            </MoveButton>
            {mediaType === 'image' ? (
              <Button name="intent" value={shownFeatured ? 'unfeature-image' : 'feature-image'}>
                {shownFeatured ? 'Remove as featured image' : 'Make featured image'}
                <Of name={originalName} />
              </Button>
            ) : null}
          </place.Form>
          <a
            href={deleteMediaAddress(articleId, id, page)}
            onClick={(event) => {
              // With scripts a dialog opens here, and nothing typed is lost.
              event.preventDefault();
              onDelete();
            }}
            className={LINK_BUTTON_CLASS}
          >
            Delete
            <Of name={originalName} />
          </a>
        </div>
        {place.result?.ok === false ? <FormNotice result={place.result} /> : null}
      </div>
    </li>
  );
}

/** A step up or down; at the ends it stays where it is, with the focus on it, and does nothing. */
function MoveButton({
  intent,
  blocked,
  pending,
  children,
}: {
  intent: 'move-up' | 'move-down';
  blocked: boolean;
  pending: boolean;
  children: ReactNode;
}) {
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

/** Gives the focus back to a form whose list item moved in the page, which takes the focus away. */
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

/** Which file a button means, for those who do not see where it stands. */
function Of({ name }: { name: ReactNode }) {
  return <span className="sr-only"> {name}</span>;
}

function MediaPreview({ media: { mediaType, sources, filePath, width, height, altText } }: { media: Media }) {
  const look = 'h-auto w-full rounded-control border border-line bg-sunken';
  if (mediaType === 'video') {
    return (
      <video
        src={filePath}
        width={width ?? undefined}
        height={height ?? undefined}
        preload="metadata"
        controls
        // Without a known size the box keeps its shape when the metadata arrives.
        className={width === null ? `${look} aspect-video object-contain` : look}
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
      className={look}
    />
  );
}
