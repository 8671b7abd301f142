/** The path of an uploaded image. */
export const UPLOADED = '/uploads/3f0c2a52-9a2e-4a3b-8f51-0d6a1c2b7e90/480.webp';
