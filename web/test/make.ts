import { createHash } from 'node:crypto'
import type { Challenge, User } from '@neuroloom/contract/accounts/accounts'
import type { Answer } from '@neuroloom/contract/calls'
import * as session from '../src/lib/session.ts'

export function makeUser(changes: Partial<User> = {}): User {
  const empty = {
    name: '',
    surname: '',
    appellation: '',
    edu: '',
    country: '',
    currCountry: '',
    area: '',
    cardType: '',
    cardNumber: '',
  } as const
  const more = { address: '', postcode: '', bakPhone: '', bakPhoneUsage: '', fax: '', email1: '', email2: '' }
  const rest = { email3: '', organ: '', position: '', dept: '', title: '', keyword: '', photo: '' }
  return {
    ...empty,
    ...more,
    ...rest,
    id: 'user-1',
    areaList: [],
    nickName: 'Radiology',
    job: '',
    sex: '',
    age: null,
    firstContact: '',
    mustChangePassword: false,
    role: 0,
    vipLevel: 4,
    vipSuper: 0,
    vipValid: null,
    phone: '+8613800138000',
    email: '',
    type: 0,
    account: 'phone',
    showIntroduce: '',
    language: null,
    runMail: false,
    ...changes,
  }
}

export function signIn(changes: Partial<User> = {}): void {
  session.start({ token: 'a'.repeat(20), closing: 'closing-1', user: makeUser(changes) })
}

/** What a sign-in answers. */
export const makeSignedIn = (changes: Partial<User> = {}, token = 'c'.repeat(20)): Answer<'user/login'> => ({
  ...makeUser(changes),
  token,
  closing: 'closing-2',
})

/** What the server says to everybody. */
export const makeSetting = (changes: Partial<Answer<'setting/public'>> = {}): Answer<'setting/public'> => ({
  host: 0,
  trial: true,
  outbox: true,
  registration: true,
  renewal: true,
  off: [],
  mail: true,
  letters: true,
  smsCountries: ['86'],
  version: '1.2.3',
  ...changes,
})

export function makeChallenge(number = 7): Challenge {
  const salt = '00112233'
  const target = createHash('sha256').update(`${salt}${number}`).digest('hex')
  return { salt, target, maxNumber: 50, expiresAt: Date.now() + 60_000, signature: 'signed' }
}

/** `window.matchMedia` of a phone held upright. */
export const asPhone = (query: string): MediaQueryList => {
  const widest = Number(/width <= (\d+)px/.exec(query)?.[1] ?? 0)
  return Object.assign(new EventTarget(), { matches: widest >= 375, media: query }) as MediaQueryList // What is asked of it.
}
