import { DomainError } from '../errors';

export function articleNotFound(): DomainError {
  return new DomainError('NotFound', { code: 'article_not_found', message: 'Article Not Found' });
}

export function mediaNotFound(): DomainError {
  return new DomainError('NotFound', { code: 'media_not_found', message: 'Media Not Found' });
}
