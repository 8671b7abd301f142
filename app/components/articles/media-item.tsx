import { useFetcher } from '@remix-run/react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Media } from '#shared/news/article';
import { isPublicMedia } from '#shared/news/public-media';
import { ScriptsField } from '~/components/forms/scripts-field';
import { Badge } from '~/components/ui/badge';
import { Button } from '~/components/ui/button';
import { buttonClass, LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { Notice } from '~/components/ui/notice';
import { Spinner } from '~/components/ui/spinner';
import { TextField } from '~/components/ui/text-field';
import { articleAddress, deleteMediaAddress } from './article-addresses';
import { DeleteMediaDialog } from './delete-media';
import { fileSizeInWords } from './file-size';
import type { MediaAnswer, MediaDeletion } from './media-answer';

/** One of an article's images and videos: its texts, its place, whether it stands for the article, and its end. */
export function MediaItem({
  media,
  articleId,
  page,
  featured,
  first,
  last,
  answer,
  onDeleted,
}: {
  media: Media;
  articleId: string;
  page: number;
  featured: boolean;
  first: boolean;
  last: boolean;
  /** What the page was answered with, when that concerns this one. */
  answer: MediaAnswer | null;
  onDeleted: (deletion: MediaDeletion) => void;
}) {
  const { id, mediaType, originalName, fileSize, altText, caption, inText } = media;
  const isHidden = !isPublicMedia(media, featured ? id : null);
  const words = useFetcher<MediaAnswer>();
  const place = useFetcher<MediaAnswer>();
  const [deleting, setDeleting] = useState(false);
  const [typed, setTyped] = useState(false);
  const action = articleAddress(articleId, page);

  const said = answerOf(words) ?? answer;
  const errors = said?.errors ?? {};
  const values = answer?.values ?? {};
  const asked = place.formData?.get('intent');
  const shownFeatured = asked === 'feature-image' ? true : asked === 'unfeature-image' ? false : featured;
  const placeForm = useFocusKept(place.state);
  const refusedPlace = answerOf(place);
  return (
    <li data-media={id} className="grid gap-4 py-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div>
        <Picture media={media} />
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
          <ScriptsField />
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
            <Button name="intent" value="caption" pending={words.state !== 'idle'}>
              Save text
              <Of name={originalName} />
            </Button>
            <p aria-live="polite" className="text-small text-soft">
              {words.state !== 'idle' ? null : typed ? 'Not saved yet' : said?.ok === true ? 'Saved' : null}
            </p>
          </div>
          {said?.ok === false && said.errors === undefined && said !== answer ? (
            <Notice kind="error">{said.message}</Notice>
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
            <ScriptsField />
            <input type="hidden" name="mediaId" value={id} />
            <MoveButton intent="move-up" blocked={first} pending={asked === 'move-up'}>
              Up
              <Of name={originalName} />
            </MoveButton>
            <MoveButton intent="move-down" blocked={last} pending={asked === 'move-down'}>
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
              // With scripts the question is asked right here, and nothing typed is lost.
              event.preventDefault();
              setDeleting(true);
            }}
            className={LINK_BUTTON_CLASS}
          >
            Delete
            <Of name={originalName} />
          </a>
        </div>
        {refusedPlace?.ok === false ? <Notice kind="error">{refusedPlace.message}</Notice> : null}
      </div>
      {deleting ? (
        <DeleteMediaDialog
          articleId={articleId}
          media={media}
          page={page}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      ) : null}
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

/** A form whose element may be moved in the page by what it does, which takes the focus away: it is given back. */
function useFocusKept(state: 'idle' | 'submitting' | 'loading') {
  const form = useRef<HTMLFormElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (state !== 'idle') {
      if (activeElement instanceof HTMLElement && form.current?.contains(activeElement))
        focused.current = activeElement;
      return;
    }
    if (activeElement === document.body || activeElement?.tagName === 'DIALOG') focused.current?.focus();
    focused.current = null;
  }, [state]);
  return form;
}

/** Which file a button means, for those who do not see where it stands. */
function Of({ name }: { name: ReactNode }) {
  return <span className="sr-only"> {name}</span>;
}

function answerOf(fetcher: ReturnType<typeof useFetcher<MediaAnswer>>): MediaAnswer | null {
  return fetcher.state === 'idle' ? (fetcher.data ?? null) : null;
}

function Picture({ media: { mediaType, sources, filePath, width, height, altText } }: { media: Media }) {
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
