import type { Reply } from '@neuroloom/contract/social/posts'
import { expect, it } from 'vitest'
import { buildThreads, MOST_DEPTH } from './threads.ts'

const reply = (id: string, parentId: string | null, changes: Partial<Reply> = {}): Reply => ({
  id,
  parentId,
  author: { id: `author-${id}`, nickName: `Author ${id}`, photo: '' },
  at: '2027-01-01T09:00:00.000Z',
  text: `Text ${id}`,
  isDeleted: false,
  isOwn: false,
  ...changes,
})

const shown = (replies: Reply[]) =>
  buildThreads(replies).map(
    ({ reply: { id }, depth, to }) => `${'-'.repeat(depth)}${id}${to ? ` to ${to.nickName}` : ''}`,
  )

it('replies stand below what they answer, in the order of time', () => {
  expect(
    shown([reply('1', null), reply('2', null), reply('3', '1'), reply('4', '2'), reply('5', '1')]),
  ).toEqual(['1', '-3', '-5', '2', '-4'])
})

it('replies below the deepest indent keep it and name whom they answer', () => {
  const chain = ['1', '2', '3', '4', '5', '6'].map((id, index) =>
    reply(id, index === 0 ? null : String(index)),
  )
  expect(MOST_DEPTH).toBe(3)
  expect(shown(chain)).toEqual(['1', '-2', '--3', '---4', '---5 to Author 4', '---6 to Author 5'])
})

it('a deleted reply keeps its place only above one that can be read', () => {
  const isDeleted = { isDeleted: true, text: '' }
  const replies = [
    reply('1', null, isDeleted),
    reply('2', '1'),
    reply('3', null, isDeleted),
    reply('4', '2', isDeleted),
    reply('5', '3', isDeleted),
  ]
  expect(shown(replies)).toEqual(['1', '-2'])
})

it('a reply whose parent is missing begins a thread', () => {
  expect(shown([reply('2', 'gone')])).toEqual(['2'])
})

it('a chain as long as a post may have replies is laid out', () => {
  const chain = Array.from({ length: 2000 }, (_, index) =>
    reply(String(index), index === 0 ? null : String(index - 1)),
  )
  expect(buildThreads(chain)).toHaveLength(2000)
})
