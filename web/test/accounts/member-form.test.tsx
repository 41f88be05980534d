import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { splitPhone } from '../../src/features/accounts/fields/calling-codes.ts'
import { setLanguage } from '../../src/lib/i18n.ts'
import { Register } from '../../src/pages/register.tsx'
import { chooseCountry, drag, field, fill, problemAt } from '../fill.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { done, fillAll, openMemberForm as open, person, submit } from './member-form-make.tsx'

describe('the long registration', () => {
  it('is chosen beside the short one', async () => {
    serve(done)
    const { router } = renderPart(<Register />, '/register')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('radio', { name: 'Member (full form)' }))
    expect(await screen.findByRole('heading', { name: 'How to reach you' })).toBeVisible()
    expect(router.state.location.search).toBe('?form=member')
  })

  it('sends the whole profile, and says by what one signs in', async () => {
    const { received, user } = await open()
    expect(field('register', 'email')).toHaveAccessibleDescription(
      'For contact only: you sign in with your phone number.',
    )
    expect(field('register', 'title')).toHaveAccessibleName('Personal classification (titles)')
    expect(field('register', 'keyword')).toHaveAccessibleName('Professional field (keywords)')
    await fillAll(user)
    await user.click(field('register', 'title'))
    await user.paste('Professor')
    await user.keyboard('{Enter}')
    await user.paste('MD')
    await user.keyboard(';')
    fill('register', { fax: '1087654321', age: '38' })
    await drag(user)
    await user.click(screen.getByRole('checkbox'))
    await submit(user)
    await screen.findByText(
      'Your account is ready, and you are signed in. Next time, sign in with +8613800138000.',
    )
    const { confirm: _, ...profile } = person
    expect(received.find(({ path }) => path === 'user/register')?.body).toMatchObject({
      ...profile,
      type: 1,
      phone: '+8613800138000',
      fax: '+861087654321',
      bakPhone: '',
      country: 'ES',
      currCountry: 'ES',
      area: '',
      age: 38,
      title: 'Professor;MD',
      photo: 'doctor-female',
      agreement: true,
    })
  })

  it('sends the code to the main e-mail address of who has a phone without text messages', async () => {
    const { received, user } = await open()
    fill('register', { email: person.email, phone: '15112345678' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Area code: Phone number' }), 'DE')
    expect(screen.getByText(/The code comes to your main e-mail address/)).toBeVisible()
    expect(field('register', 'phone')).toHaveAccessibleDescription(
      'For contact only: you sign in with your e-mail address.',
    )
    await user.click(screen.getByRole('button', { name: 'Send code' }))
    await screen.findByText('The code is on its way.')
    expect(received.find(({ path }) => path === 'user/mailcode')?.body).toMatchObject({
      email: 'maria@hospital.org',
    })
  })

  it('lists what is wrong, each line leading to its field', async () => {
    const { received, user } = await open()
    await submit(user)
    expect(field('register', 'nickName')).toHaveFocus()
    const summary = screen.getByRole('region', { name: /^\d+ fields need your attention$/ })
    expect(within(summary).getAllByRole('button').length).toBeGreaterThan(15)
    await user.click(within(summary).getByRole('button', { name: 'Postcode' }))
    expect(field('register', 'postcode')).toHaveFocus()
    expect(received.some(({ path }) => path === 'user/register')).toBe(false)
  })

  it('stops with a dialog where something is in Chinese', async () => {
    const { received, user } = await open()
    await fillAll(user, { dept: '放射科' })
    await drag(user)
    await user.click(screen.getByRole('checkbox'))
    await submit(user)
    const dialog = await screen.findByRole('dialog', { name: 'Please write in English', hidden: true })
    await user.click(within(dialog).getByText('Correct it'))
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull())
    expect(field('register', 'dept')).toHaveFocus()
    expect(received.some(({ path }) => path === 'user/register')).toBe(false)
  })

  it('takes fax as the preferred contact once there is a fax number', async () => {
    const { user } = await open()
    const fax = () => within(field('register', 'firstContact')).getByRole('option', { name: 'Fax' })
    expect(fax()).toBeDisabled()
    fill('register', { fax: '1087654321' })
    expect(fax()).toBeEnabled()
    await user.selectOptions(field('register', 'firstContact'), 'fax')
    fill('register', { fax: '' })
    expect(problemAt('register', 'firstContact')).toBeNull()
    fireEvent.blur(field('register', 'firstContact'))
    expect(problemAt('register', 'firstContact')).toBe('Enter a fax number first, or choose another way.')
  })

  it('has a line for another occupation', async () => {
    const { user } = await open()
    await user.selectOptions(field('register', 'appellation'), 'other')
    const line = screen.getByRole('textbox', { name: 'Which occupation' })
    await user.click(line)
    await user.paste('nurse practitioner')
    expect(line).toHaveValue('nurse practitioner')
    expect(field('register', 'appellation')).toHaveValue('other')
  })

  it('says at its field what the server refused', async () => {
    const { user } = await open({
      ...done,
      'user/register': () => {
        throw new Refusal('invalid', {}, { organ: 'form.too_big' })
      },
    })
    await fillAll(user)
    await drag(user)
    await user.click(screen.getByRole('checkbox'))
    await submit(user)
    await waitFor(() => expect(problemAt('register', 'organ')).toBe('This is too long or too large.'))
    fill('register', { organ: 'Hospital' })
    expect(problemAt('register', 'organ')).toBeNull()
  })
})

describe('a country', () => {
  it("is found by a part of its name, in the page's language or in English", async () => {
    await setLanguage('ru')
    serve(done)
    renderPart(<Register />, '/register?form=member')
    await screen.findByRole('form')
    const user = userEvent.setup()
    const country = field('register', 'country')
    await user.type(country, 'герм')
    expect(screen.getAllByRole('option', { name: 'Германия' }).length).toBeGreaterThan(0)
    await user.keyboard('{Enter}')
    expect(country).toHaveValue('Германия')
    await user.clear(country)
    await user.type(country, 'austri')
    await user.keyboard('{Enter}')
    expect(country).toHaveValue('Австрия')
  })

  it('is left as it was by Escape', async () => {
    const { user } = await open()
    await chooseCountry(user, 'register', 'country', 'Spa')
    await user.click(field('register', 'country'))
    await user.keyboard('{ArrowDown}{Escape}')
    expect(field('register', 'country')).toHaveValue('Spain')
    expect(field('register', 'country')).toHaveAttribute('aria-expanded', 'false')
  })
})

describe('the area', () => {
  it('is asked for to its last level, where it may be another place, and is sent', async () => {
    const { received, user } = await open()
    expect(screen.queryByRole('combobox', { name: 'Province' })).toBeNull()
    await chooseCountry(user, 'register', 'currCountry', 'China')
    await screen.findByRole('option', { name: 'Guangdong' })
    const choose = (level: string, name: string) =>
      user.selectOptions(screen.getByRole('combobox', { name: level }), name)
    await choose('Province', 'Guangdong')
    await submit(user)
    expect(problemAt('register', 'area')).toBe('Please fill in this field.')
    await choose('City', 'Shenzhen')
    await choose('District', 'Other')
    expect(screen.getByRole('combobox', { name: 'District' })).toHaveValue('other')
    expect(problemAt('register', 'area')).toBeNull()
    await choose('District', 'Nanshan District')
    expect(problemAt('register', 'area')).toBeNull()
    expect(screen.queryAllByRole('combobox', { name: /^(Province|City|District)$/ })).toHaveLength(3)
    fill('register', person)
    await chooseCountry(user, 'register', 'country', 'China')
    await drag(user)
    await user.click(screen.getByRole('checkbox'))
    await submit(user)
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'user/register')?.body.area).toBe('440000/440300/440305'),
    )
  })
})

describe('a stored number in its parts', () => {
  it.each([
    ['+8613800138000', '', 'CN', '13800138000'],
    ['8613800138000', '', 'CN', '13800138000'],
    ['+12025550123', 'CA', 'CA', '2025550123'],
    ['+12025550123', 'DE', 'US', '2025550123'],
    ['+79161234567', '', 'RU', '9161234567'],
    ['+18761234567', '', 'JM', '1234567'],
    ['', 'FR', 'FR', ''],
    ['', '', 'CN', ''],
  ])('%s (%s)', (phone, likely, region, number) => {
    expect(splitPhone(phone, likely)).toEqual({ region, number })
  })
})
