import type { Answer } from '@neuroloom/contract/calls'
import type { Application, Card, Person, Relation } from '@neuroloom/contract/social/people'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { MemberCard } from '../../src/features/social/people/member-card.tsx'
import { AddressBook, Fans, Friends } from '../../src/features/social/people/tabs.tsx'
import { signIn } from '../make.ts'
import { dialogOf, fill } from '../office/make-orders.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const person = (id: string, nickName: string): Person => ({ id, nickName, photo: '' })
const radiologist = person('radiologist', 'Radiologist')
const since = '2027-01-01T09:00:00.000Z'

const strangers: Relation = {
  isSelf: false,
  isFriend: false,
  application: 'none',
  isFollowed: false,
  isBlocked: false,
}

const makeCard = (relation: Partial<Relation> = {}, changes: Partial<Card> = {}): Card => ({
  ...radiologist,
  introduction: '',
  fields: [],
  relation: { ...strangers, ...relation },
  isOnline: null,
  counts: { follows: 0, fans: 0, posts: 0 },
  ...changes,
})

const application = (changes: Partial<Application> = {}): Application => ({
  id: 'application-1',
  person: radiologist,
  text: 'We met at the stroke workshop',
  direction: 'received',
  state: 'waiting',
  at: since,
  ...changes,
})

const friend = (id: string, nickName: string): Answer<'social/friends'>['friends'][number] => ({
  ...person(id, nickName),
  isOnline: null,
  since,
})

const ownCard: Answer<'social/ownCard'> = {
  introduction: '',
  shown: [],
  canBeFound: false,
  showsOnline: false,
}

type Handlers = Parameters<typeof serve>[0]

function open(part: ReactNode, handlers: Handlers) {
  signIn()
  const received = serve({
    'social/friends': () => ({ friends: [] }),
    'social/applications': () => ({ applicationList: [], unreadCount: 0 }),
    'social/ownCard': () => ownCard,
    ...handlers,
  })
  const { router } = renderPart(part)
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person: userEvent.setup(), sent, router }
}

const openCard = (card: Card, handlers: Handlers = {}) =>
  open(<MemberCard memberId="radiologist" onClose={() => {}} />, { 'social/card': () => card, ...handlers })

describe('the card of a member', () => {
  it('shows what came, in the words of the page, and nothing else', async () => {
    openCard(
      makeCard(
        {},
        {
          introduction: 'Perfusion imaging.\nAsk me about CT.',
          fields: [
            { field: 'occupation', value: 'doctor' },
            { field: 'country', value: 'CN' },
          ],
          counts: { follows: 1, fans: 1200, posts: 2 },
        },
      ),
    )
    const card = within(await screen.findByRole('dialog', { name: 'Radiologist' }))
    expect(await card.findByText(/Ask me about CT/)).toHaveTextContent('Perfusion imaging.')
    expect(card.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['Doctor', 'China'])
    expect(card.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Occupation', 'Country'])
    expect(card.getByRole('button', { name: '1,200 fans' })).toBeVisible()
    expect(card.getByRole('link', { name: '2 posts' })).toHaveAttribute(
      'href',
      '/socialHome?tab=posts&member=radiologist',
    )
    for (const word of [/line$/, 'Institution', 'E-mail']) expect(card.queryByText(word)).toBeNull()
  })

  it('sends a friend request with a line of text', async () => {
    let relation: Relation = strangers
    const { person, sent } = openCard(makeCard(), {
      'social/card': () => makeCard(relation),
      'social/apply': () => {
        relation = { ...strangers, application: 'sent' }
        return relation
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Send friend request' }))
    await fill(person, screen.getByRole('textbox', { name: /^A line to Radiologist/ }), 'Hello')
    await person.click(screen.getByRole('button', { name: 'Send request' }))
    expect(await screen.findByText('Your friend request waits for an answer.')).toBeVisible()
    expect(sent('social/apply')).toEqual([{ memberId: 'radiologist', text: 'Hello' }])
    expect(screen.queryByRole('button', { name: 'Send friend request' })).toBeNull()
  })

  it('keeps the line of a request that was refused, and says why', async () => {
    const { person } = openCard(makeCard(), {
      'social/apply': () => {
        throw new Refusal('social_slow', { seconds: 40 })
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Send friend request' }))
    const line = screen.getByRole('textbox', { name: /^A line to Radiologist/ })
    await fill(person, line, 'Hello')
    await person.click(screen.getByRole('button', { name: 'Send request' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again in 40 s')
    expect(line).toHaveValue('Hello')
  })

  it('accepts by asking back, follows, and leads a friend to the conversation', async () => {
    let relation: Relation = { ...strangers, application: 'received' }
    const { person, sent, router } = openCard(makeCard(), {
      'social/card': () => makeCard(relation),
      'social/apply': () => {
        relation = { ...relation, isFriend: true, application: 'none' }
        return relation
      },
      'social/follow': () => {
        relation = { ...relation, isFollowed: true }
        return relation
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Accept' }))
    await screen.findByRole('button', { name: 'Message' })
    await person.click(screen.getByRole('button', { name: 'Follow' }))
    expect(await screen.findByRole('button', { name: /Unfollow$/ })).toBeVisible()
    expect(sent('social/follow')).toEqual([{ memberId: 'radiologist' }])
    await person.click(screen.getByRole('button', { name: 'Message' }))
    expect(router.state.location.search).toBe('?tab=chat&with=radiologist')
  })

  it('blocks only once it was confirmed, and takes it back', async () => {
    let isBlocked = false
    const { person, sent } = openCard(makeCard(), {
      'social/card': () => makeCard({ isBlocked }),
      'social/block': () => {
        isBlocked = true
        return {}
      },
      'social/unblock': () => {
        isBlocked = false
        return {}
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Block' }))
    const question = await dialogOf('Block Radiologist?')
    expect(question.getByText(/no messages, requests or follows/)).toBeVisible()
    expect(sent('social/block')).toEqual([])
    await person.click(question.getByRole('button', { name: 'Block' }))
    await person.click(await screen.findByRole('button', { name: 'Unblock' }))
    expect(await screen.findByRole('button', { name: 'Send friend request' })).toBeVisible()
    expect(sent('social/block')).toEqual([{ memberId: 'radiologist' }])
    expect(sent('social/unblock')).toEqual([{ memberId: 'radiologist' }])
  })

  it('reports a member', async () => {
    const { person, sent } = openCard(makeCard(), { 'social/report': () => ({}) })
    await person.click(await screen.findByRole('button', { name: 'Report' }))
    await person.click(await screen.findByRole('radio', { name: /insult/i }))
    await person.click(screen.getByRole('button', { name: 'Send the report' }))
    await waitFor(() =>
      expect(sent('social/report')).toEqual([
        { kind: 'member', targetId: 'radiologist', chatId: null, reason: 'insult', text: '' },
      ]),
    )
  })

  it('leads from a list of fans to the card of one of them', async () => {
    const { person } = openCard(makeCard({}, { counts: { follows: 0, fans: 1, posts: 0 } }), {
      'social/card': ({ memberId }) =>
        memberId === 'radiologist'
          ? makeCard({}, { counts: { follows: 0, fans: 1, posts: 0 } })
          : makeCard({}, { ...person2 }),
      'social/fans': () => ({ people: [person2], next: null }),
    })
    await person.click(await screen.findByRole('button', { name: '1 fan' }))
    await person.click(await screen.findByRole('button', { name: 'Physicist' }))
    expect(await screen.findByRole('dialog', { name: 'Physicist' })).toBeVisible()
  })
})

const person2 = person('physicist', 'Physicist')

describe('the address book', () => {
  it('lists friends by letter and finds them by a part of the name', async () => {
    const { person } = open(<AddressBook />, {
      'social/friends': () => ({ friends: [friend('1', 'Zoe'), friend('2', 'doctor'), friend('3', '王伟')] }),
    })
    const book = within(await screen.findByRole('region', { name: 'Friends by letter' }))
    expect(book.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['D', 'W', 'Z'])
    await fill(person, book.getByRole('searchbox', { name: 'Search friends' }), 'DOC')
    expect(book.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['D'])
    await fill(person, book.getByRole('searchbox', { name: 'Search friends' }), 'nobody')
    expect(book.getByRole('status')).toHaveTextContent('No friend has this in the name.')
  })

  it('leads whoever has no friends to the field that finds people', async () => {
    const { person, sent } = open(<AddressBook />, {
      'social/findPeople': ({ text }) => ({
        people: text === 'radiologist@hospital.example' ? [radiologist] : [],
      }),
      'social/card': () => makeCard(),
    })
    await person.click(await screen.findByRole('button', { name: 'Find people' }))
    const field = screen.getByRole('searchbox', { name: 'Account or nickname' })
    expect(field).toHaveFocus()
    await person.paste('nobody')
    await person.keyboard('{Enter}')
    expect(await screen.findByText(/Nobody found/)).toBeVisible()
    await fill(person, field, 'radiologist@hospital.example')
    await person.keyboard('{Enter}')
    await person.click(await screen.findByRole('button', { name: 'Radiologist' }))
    expect(await screen.findByRole('dialog', { name: 'Radiologist' })).toBeVisible()
    expect(sent('social/findPeople')).toEqual([{ text: 'nobody' }, { text: 'radiologist@hospital.example' }])
  })

  it('shows requests with their text, and accepts or refuses them', async () => {
    let list = [application(), application({ id: 'application-2', person: person2, text: '' })]
    const { person, sent } = open(<AddressBook />, {
      'social/applications': () => ({ applicationList: list, unreadCount: list.length }),
      'social/answerApplication': ({ applicationId, accept }) => {
        list = list.map((one) =>
          one.id === applicationId ? { ...one, state: accept ? 'accepted' : 'refused' } : one,
        )
        return {}
      },
    })
    expect(await screen.findByText('We met at the stroke workshop')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Accept the request of Radiologist' }))
    expect(await screen.findByText('1 answered request')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Refuse the request of Physicist' }))
    expect(await screen.findByText('No request waits for an answer.')).toBeVisible()
    expect(sent('social/answerApplication')).toEqual([
      { applicationId: 'application-1', accept: true },
      { applicationId: 'application-2', accept: false },
    ])
  })

  it('saves what others see, and nothing is shown that was not chosen', async () => {
    const { person, sent } = open(<AddressBook />, { 'social/editCard': () => ({}) })
    const save = await screen.findByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    for (const box of screen.getAllByRole('checkbox')) expect(box).not.toBeChecked()
    await fill(person, screen.getByRole('textbox', { name: 'Introduction' }), ' Perfusion ')
    await person.click(screen.getByRole('checkbox', { name: 'Institution' }))
    await person.click(screen.getByRole('checkbox', { name: 'By a part of my nickname' }))
    await person.click(save)
    await waitFor(() =>
      expect(sent('social/editCard')).toEqual([
        { introduction: 'Perfusion', shown: ['institution'], canBeFound: true, showsOnline: false },
      ]),
    )
  })

  it('lists blocked members and takes a block back', async () => {
    let people = [radiologist]
    const { person, sent } = open(<AddressBook />, {
      'social/blocked': () => ({ people }),
      'social/unblock': () => {
        people = []
        return {}
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Blocked members' }))
    await person.click(await screen.findByRole('button', { name: 'Unblock Radiologist' }))
    expect(await screen.findByText('You have blocked nobody.')).toBeVisible()
    expect(sent('social/unblock')).toEqual([{ memberId: 'radiologist' }])
  })
})

describe('the friends', () => {
  it('lead to conversations, and end only once it was confirmed', async () => {
    let friends = [friend('radiologist', 'Radiologist')]
    const { person, sent, router } = open(<Friends />, {
      'social/friends': () => ({ friends }),
      'social/unfriend': () => {
        friends = []
        return {}
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Message Radiologist' }))
    expect(router.state.location.search).toBe('?tab=chat&with=radiologist')
    await person.click(screen.getByRole('button', { name: 'Unfriend Radiologist' }))
    const question = within(
      await screen.findByRole('dialog', { name: 'Remove Radiologist from your friends?' }),
    )
    expect(sent('social/unfriend')).toEqual([])
    await person.click(question.getByRole('button', { name: 'Unfriend' }))
    expect(await screen.findByRole('heading', { name: 'No friends yet' })).toBeVisible()
    expect(sent('social/unfriend')).toEqual([{ memberId: 'radiologist' }])
  })
})

describe('the fans', () => {
  it('are followed back, and a page at a time', async () => {
    const followed = new Set(['physicist'])
    const { person, sent } = open(<Fans />, {
      'social/follows': () => ({
        people: [radiologist, person2].filter(({ id }) => followed.has(id)),
        next: null,
      }),
      'social/fans': ({ after }) =>
        after === 'second' ? { people: [radiologist], next: null } : { people: [person2], next: 'second' },
      'social/follow': ({ memberId }) => {
        followed.add(memberId)
        return { ...strangers, isFollowed: true }
      },
    })
    expect(await screen.findByText('You follow each other')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Show more' }))
    await person.click(await screen.findByRole('button', { name: 'Follow Radiologist back' }))
    expect(await screen.findByRole('button', { name: 'Unfollow Radiologist' })).toBeVisible()
    expect(sent('social/follow')).toEqual([{ memberId: 'radiologist' }])
  })

  it('and members whom one follows have their own list, from which one takes them', async () => {
    let people = [radiologist]
    const { person } = open(<Fans />, {
      'social/fans': () => ({ people: [], next: null }),
      'social/follows': () => ({ people, next: null }),
      'social/unfollow': () => {
        people = []
        return strangers
      },
    })
    expect(await screen.findByRole('heading', { name: 'No fans yet' })).toBeVisible()
    await person.click(screen.getByText('Following'))
    await person.click(await screen.findByRole('button', { name: 'Unfollow Radiologist' }))
    expect(await screen.findByRole('heading', { name: 'You follow nobody yet' })).toBeVisible()
  })
})
