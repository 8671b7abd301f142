/** The path of resumable uploads; each has its id below it. */
export const TUS_PATH = '/api/downloads/uploads';
