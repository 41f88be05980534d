/** The long registration, open and filled in, for its tests. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Register } from '../../src/pages/register.tsx'
import { chooseCountry, fill, type Person } from '../fill.ts'
import { makeChallenge, makeSetting, makeSignedIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

export const done = {
  'setting/public': () => makeSetting(),
  'user/challenge': () => makeChallenge(),
  'user/smscode': () => ({}),
  'user/mailcode': () => ({}),
  'user/register': () => makeSignedIn(),
}

export const person = {
  nickName: 'Maria',
  job: 'Prof Dr',
  name: 'Maria',
  surname: 'Lopez',
  appellation: 'doctor',
  sex: 'female',
  cardType: 'passport',
  cardNumber: 'E12345',
  phone: '13800138000',
  email: 'maria@hospital.org; lopez@hospital.org',
  code: '123456',
  firstContact: 'email',
  organ: 'City Hospital',
  dept: 'Radiology',
  address: '1 Main Street',
  postcode: '28001',
  password: 'abcd1234',
  confirm: 'abcd1234',
}

export async function openMemberForm(handlers: Parameters<typeof serve>[0] = done) {
  const received = serve(handlers)
  const page = renderPart(<Register />, '/register?form=member')
  await screen.findByRole('heading', { name: 'About you' })
  return { received, ...page, user: userEvent.setup() }
}

export async function fillAll(user: Person, changes: Partial<typeof person> = {}) {
  fill('register', { ...person, ...changes })
  await chooseCountry(user, 'register', 'country', 'Spa')
  await chooseCountry(user, 'register', 'currCountry', 'Spa')
}

export const submit = (user: Person) => user.click(screen.getByRole('button', { name: 'Create account' }))
