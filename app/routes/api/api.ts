import { api } from './document.server';

export const loader = api;
export const action = api;
