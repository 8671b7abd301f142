/** The content of a mail, before it becomes plain text and HTML. */
export interface MailParts {
  subject: string;
  /** The preview text that mail clients show beside the subject. */
  preview: string;
  paragraphs: string[];
  /** Set large, between the first paragraph and the rest. */
  highlight?: string;
  link?: { label: string; url: string };
  /** A second, less visible link, at the end. */
  footer?: { label: string; url: string };
}
