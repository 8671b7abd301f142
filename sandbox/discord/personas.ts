import { randomBytes } from 'node:crypto';

/** A person who can sign in with Discord here. */
export interface Persona {
  /** Identifies the persona on the authorize page and in tests. */
  key: string;
  /** Label of the button. */
  label: string;
  id: string;
  username: string;
  globalName: string | null;
  /** The avatar's hash, or null. */
  avatar?: string | null | undefined;
  email: string | null;
  verified: boolean;
}

/** The mail addresses of the personas that are members. */
export const MEMBER_EMAILS = { pro: 'pro@packwatch.example', free: 'free@packwatch.example' } as const;

/** The ids never change, so that accounts survive a restart of the sandbox. */
const FIRST_PERSONAS: readonly Persona[] = [
  {
    key: 'admin',
    label: 'Admin',
    id: '150000000000000001',
    username: 'ada_admin',
    globalName: 'Ada',
    avatar: '3b4cca9f1239d2a6c0e8b1f4570a6d2c',
    email: 'admin@packwatch.example',
    verified: true,
  },
  {
    key: 'pro',
    label: 'Pro member',
    id: '150000000000000002',
    username: 'priya_pro',
    globalName: 'Priya',
    avatar: 'a_c2557a22b07e6f1d9034e58ba7c1d60f',
    email: MEMBER_EMAILS.pro,
    verified: true,
  },
  {
    key: 'free',
    label: 'Free member',
    id: '150000000000000003',
    username: 'fred_free',
    globalName: 'Fred',
    email: MEMBER_EMAILS.free,
    verified: true,
  },
  {
    key: 'unverified',
    label: 'User with an unverified email',
    id: '150000000000000005',
    username: 'uma_unverified',
    globalName: null,
    email: 'unverified@packwatch.example',
    verified: false,
  },
];

export const ADMIN_PERSONA_ID = '150000000000000001';

/** The persona that is a new user at each sign-in. */
export const NEW_MEMBER = { key: 'new', label: 'New member, a new user each time' } as const;

/** The personas. @param nextId makes Discord's ids from epoch milliseconds */
export function createPersonas(nextId: (epochMs: number) => string) {
  let personas: Persona[] = [...FIRST_PERSONAS];
  return {
    list: (): Persona[] => [...personas],
    /** Adds a persona, or replaces the one with that key. */
    put(persona: Persona): Persona {
      personas = [...personas.filter(({ key }) => key !== persona.key), persona];
      return persona;
    },
    find(key: string): Persona | undefined {
      if (key !== NEW_MEMBER.key) return personas.find((persona) => persona.key === key);
      const name = `newcomer_${randomBytes(4).toString('hex')}`;
      return {
        ...NEW_MEMBER,
        id: nextId(Date.now()),
        username: name,
        globalName: null,
        email: `${name}@packwatch.example`,
        verified: true,
      };
    },
    reset(): void {
      personas = [...FIRST_PERSONAS];
    },
  };
}

/** The user object of Discord's API. `email` and `verified` need the scope `email` (Discord docs, "User Resource › User Object"). */
export function toUserObject(persona: Persona, scopes: readonly string[]): Record<string, unknown> {
  return {
    id: persona.id,
    username: persona.username,
    discriminator: '0',
    global_name: persona.globalName,
    avatar: persona.avatar ?? null,
    banner: null,
    accent_color: null,
    flags: 0,
    public_flags: 0,
    premium_type: 0,
    mfa_enabled: false,
    locale: 'en-GB',
    ...(scopes.includes('email') && { email: persona.email, verified: persona.verified }),
  };
}
