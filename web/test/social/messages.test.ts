import { describe, expect, it } from 'vitest'
import { keepDraft, readDraft } from '../../src/features/social/chats/drafts.ts'
import {
  insertMention,
  matchingPeople,
  mentionQuery,
  namedIn,
} from '../../src/features/social/chats/mentions.ts'
import { daysAgo, mergeMessages, rowsOf } from '../../src/features/social/chats/messages.ts'
import { splitText } from '../../src/features/social/links.ts'
import { doctor, makeMessage, me, nurse } from './social-make.ts'

const ids = (messages: { id: number }[]) => messages.map(({ id }) => id)

describe('merged messages', () => {
  it('are sorted by id, and each is there once', () => {
    const known = [makeMessage(2), makeMessage(5)]
    expect(ids(mergeMessages(known, [makeMessage(5), makeMessage(3), makeMessage(9)]))).toEqual([2, 3, 5, 9])
  })

  it('keep a message withdrawn although an older answer still has its text', () => {
    const withdrawn = makeMessage(2, { text: '', isWithdrawn: true })
    const reply = makeMessage(3, { replyTo: { id: 2, from: doctor, text: 'message 2', attached: null } })
    expect(mergeMessages([makeMessage(2), reply], [withdrawn])).toEqual([
      withdrawn,
      { ...reply, replyTo: { id: 2, from: doctor, text: '', attached: null } },
    ])
    expect(mergeMessages([withdrawn], [makeMessage(2)])).toEqual([withdrawn])
  })
})

describe('the rows of a conversation', () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2028, 4, day, hour, minute).toISOString()

  it('begin each day with its line, and the unread with theirs', () => {
    const messages = [
      makeMessage(1, { at: at(1, 23) }),
      makeMessage(2, { at: at(2, 1) }),
      makeMessage(3, { at: at(2, 2), from: me }),
      makeMessage(4, { at: at(2, 3) }),
    ]
    const shown = (readId: number) =>
      rowsOf(messages, { ownId: me.id, tops: new Set(), readId }).map((row) =>
        row.kind === 'message' ? row.message.id : row.kind,
      )
    expect(shown(2)).toEqual([
      1,
      'day',
      2,
      // Own ones are never unread.
      3,
      'unread',
      4,
    ])
    // What belongs above the first one stands above the list.
    expect(shown(0)).toEqual([1, 'day', 2, 3, 4])
  })

  it('put messages of one member within five minutes under one name', () => {
    const messages = [
      makeMessage(1, { at: at(1, 8, 0) }),
      makeMessage(2, { at: at(1, 8, 4) }),
      makeMessage(3, { at: at(1, 8, 30) }),
      makeMessage(4, { at: at(1, 8, 31), from: nurse }),
    ]
    const continued = (...tops: number[]) =>
      rowsOf(messages, { ownId: me.id, tops: new Set(tops), readId: null }).flatMap((row) =>
        row.kind === 'message' ? row.isContinued : [],
      )
    expect(continued()).toEqual([false, true, false, false])
    // Looks as it did before earlier ones came above it.
    expect(continued(2)).toEqual([false, false, false, false])
  })

  it('count days by the calendar, not by hours', () => {
    const now = new Date(2028, 4, 2, 0, 10).getTime()
    expect(daysAgo(at(1, 23), now)).toBe(1)
    expect(daysAgo(at(2, 0), now)).toBe(0)
  })
})

describe('a text', () => {
  it.each([
    ['see https://example.org/a?b=1.', ['see ', 'L:https://example.org/a?b=1', '.']],
    ['(http://example.org/x_(y))', ['(', 'L:http://example.org/x_(y)', ')']],
    ['看https://example.org/路径，谢谢', ['看', 'L:https://example.org/路径', '，谢谢']],
    ['javascript:alert(1) ftp://example.org', ['javascript:alert(1) ftp://example.org']],
    ['https:// and http://', ['https:// and http://']],
    ['<b>https://example.org/"onclick="x</b>', ['<b>', 'L:https://example.org/', '"onclick="x</b>']],
  ])('becomes links of http and https alone: %s', (text, parts) => {
    expect(splitText(text).map(({ kind, text: part }) => (kind === 'link' ? `L:${part}` : part))).toEqual(
      parts,
    )
  })

  it('marks the longest name behind an @', () => {
    expect(splitText('hi @Doctor on call and @Doctor', ['Doctor', 'Doctor on call'])).toEqual([
      { kind: 'text', text: 'hi ' },
      { kind: 'name', text: '@Doctor on call' },
      { kind: 'text', text: ' and ' },
      { kind: 'name', text: '@Doctor' },
    ])
  })
})

describe('a mention', () => {
  it('begins with an @ at the start of a word', () => {
    expect(mentionQuery('hi @an', 6)).toEqual({ from: 3, query: 'an' })
    expect(mentionQuery('name@hospital.org', 17)).toBeNull()
    expect(mentionQuery('hi @doctor ', 11)).toBeNull()
  })

  it('offers those whose name fits, and puts the chosen one into the text', () => {
    expect(matchingPeople([nurse, doctor, me], 'o').map(({ nickName }) => nickName)).toEqual([
      'Doctor',
      'Radiology',
    ])
    expect(insertMention('hi @an!', { from: 3, caret: 6, name: 'Doctor' })).toEqual({
      text: 'hi @Doctor !',
      caret: 11,
    })
  })

  it('counts only while its name stands in the text', () => {
    expect(namedIn('hello @Doctor', [doctor, nurse, doctor])).toEqual([doctor.id])
  })
})

describe('a draft', () => {
  it('is kept per member and conversation, and forgotten once it is empty', () => {
    const draft = { text: 'half a sent', replyTo: null, named: [] }
    keepDraft('user-1', 'chat-1', draft)
    keepDraft('user-1', 'chat-2', { ...draft, text: 'other' })
    expect(readDraft('user-1', 'chat-1')).toEqual(draft)
    expect(readDraft('user-2', 'chat-1').text).toBe('')
    keepDraft('user-1', 'chat-1', { ...draft, text: '' })
    expect(readDraft('user-1', 'chat-1').text).toBe('')
    expect(readDraft('user-1', 'chat-2').text).toBe('other')
  })
})
