import { failureAnswer } from '~/http/json-answer.server';

/** Whatever the API does not have, whatever the method. */
function answer(): Response {
  return failureAnswer({
    status: 404,
    code: 'not_found',
    message: 'There is no such call in this API. /api/openapi.json lists them all.',
  });
}

export { answer as action, answer as loader };
