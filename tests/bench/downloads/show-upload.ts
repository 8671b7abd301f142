import type { UploadFigures } from './measure-upload';

const MEBIBYTE = 1024 * 1024;

function showTransfer(
  name: string,
  { ms, cuts, extraBytes, memory }: UploadFigures['upload'],
  fileBytes: number,
): string[] {
  const speed = Math.round(fileBytes / MEBIBYTE / (ms / 1000));
  const moved =
    memory === null
      ? 'memory: this system does not say'
      : `memory of the web process ${memory.before} MiB before, at its highest ${memory.peak} MiB: +${memory.peak - memory.before}`;
  return [
    `  ${name}: ${(ms / 1000).toFixed(1)} s (${speed} MiB/s), ${cuts} cuts, ${Math.round(extraBytes / 1024)} KiB besides the file`,
    `    ${moved}`,
  ];
}

/** Formats the figures as lines of text. */
export function showUpload({ fileBytes, upload, download, sha256 }: UploadFigures): string[] {
  return [
    `Upload: ${fileBytes / MEBIBYTE} MiB over a line that breaks`,
    ...showTransfer('upload by tus-js-client', upload, fileBytes),
    ...showTransfer('download by curl -C -', download, fileBytes),
    `  SHA-256 sent     ${sha256.sent}`,
    `  SHA-256 stored   ${sha256.stored}`,
    `  SHA-256 received ${sha256.received}`,
  ];
}
