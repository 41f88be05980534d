import { messageProblems } from '@neuroloom/contract/accounts/message-rules'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { setLanguage } from '../../src/lib/i18n.ts'
import { Concat } from '../../src/pages/site/concat.tsx'
import { Consult } from '../../src/pages/site/consult.tsx'
import { makeChallenge } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const ready = { 'user/challenge': () => makeChallenge(), 'site/message': () => ({}) }

type Person = ReturnType<typeof userEvent.setup>

async function dragByKeys(person: Person) {
  screen.getByRole('slider').focus()
  await person.keyboard('{End}')
  await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Verified'))
}

const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

describe('the messages of the form', () => {
  const cases = [
    ['en', 'Send', ['Please fill in this field.', 'This e-mail address is not valid.']],
    ['zh', '发送', ['请填写此项。', '邮箱地址不正确。']],
    ['ru', 'Отправить', ['Пожалуйста, заполните это поле.', 'Адрес эл. почты неверен.']],
  ] as const

  it.each(cases)(
    'in %s say at every field what is wrong, and nothing is sent',
    async (language, send, said) => {
      await setLanguage(language)
      const received = serve(ready)
      renderPart(<Concat />)
      const person = userEvent.setup()
      await person.click(await screen.findByRole('button', { name: send }))
      expect(alerts()).toEqual([said[0], said[0], said[0]])
      const [, , contact] = screen.getAllByRole('textbox')
      if (contact) await person.type(contact, 'maria@')
      expect(alerts()).toEqual([said[0], said[1], said[0]])
      expect(received.some(({ path }) => path === 'site/message')).toBe(false)
    },
  )

  it.each([
    ['maria@hospital.org', undefined],
    ['+86 138-0013-8000', undefined],
    ['', 'required'],
    ['maria', 'phone_format'],
    ['12', 'phone_format'],
  ])('take "%s" as an address to answer to as the server does', async (contact, problem) => {
    expect(messageProblems({ name: 'M', contact, text: 'T' }).contact).toBe(problem)
  })
})

describe('leaving a message', () => {
  async function fill(person: Person) {
    await person.type(await screen.findByRole('textbox', { name: 'Your name' }), 'Maria')
    await person.type(screen.getByRole('textbox', { name: /^E-mail address/ }), 'maria@hospital.org')
    await person.type(screen.getByRole('textbox', { name: 'Your message' }), 'Is our scanner known?')
  }

  it('sends it with the proof of the slider, says so, and takes another', async () => {
    const received = serve(ready)
    renderPart(<Concat />)
    const person = userEvent.setup()
    await fill(person)
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByRole('heading', { name: 'Your message has arrived' })).toBeVisible()
    const { proof, ...body } = received.find(({ path }) => path === 'site/message')?.body ?? {}
    expect(body).toEqual({
      kind: 'message',
      name: 'Maria',
      organ: '',
      contact: 'maria@hospital.org',
      topic: '',
      text: 'Is our scanner known?',
    })
    expect(JSON.parse(String(proof))).toMatchObject({ number: 7 })
    await person.click(screen.getByRole('button', { name: 'Write another' }))
    expect(screen.getByRole('textbox', { name: 'Your message' })).toHaveValue('')
  })

  it('asks for the slider first', async () => {
    const received = serve(ready)
    renderPart(<Concat />)
    const person = userEvent.setup()
    await fill(person)
    await person.click(screen.getByRole('button', { name: 'Send' }))
    const text = 'Please drag the slider all the way to the right first.'
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(text)
    expect(received.some(({ path }) => path === 'site/message')).toBe(false)
  })

  it('keeps what was written when the server refuses, and the slider starts anew', async () => {
    serve({
      ...ready,
      'site/message': () => {
        throw new Refusal('too_many_messages', { minutes: 60 })
      },
    })
    renderPart(<Concat />)
    const person = userEvent.setup()
    await fill(person)
    await dragByKeys(person)
    await person.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Your message' })).toHaveValue('Is our scanner known?')
    expect(screen.getByRole('slider')).not.toHaveAttribute('aria-valuetext', 'Verified')
  })

  it('warns of patient data before anything is written', async () => {
    serve(ready)
    renderPart(<Consult />)
    expect(await screen.findByText(/^Do not send patient data/)).toBeVisible()
  })
})

describe('the consultation', () => {
  it('begins with the topic that the address asks for', async () => {
    serve(ready)
    renderPart(<Consult />, '/consult?topic=installation')
    const topic = await screen.findByRole('combobox', { name: 'What is it about?' })
    await waitFor(() => expect(topic).toHaveValue('installation'))
    expect(within(topic).getAllByRole('option')).toHaveLength(7)
  })

  it('takes no topic that there is not', async () => {
    serve(ready)
    renderPart(<Consult />, '/consult?topic=lottery')
    expect(await screen.findByRole('combobox', { name: 'What is it about?' })).toHaveValue('')
  })
})
