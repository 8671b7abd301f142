/** Loaded with the first file that is sent: `send` sorts all media types when it is loaded. */
export { default as sendFile } from 'send';
