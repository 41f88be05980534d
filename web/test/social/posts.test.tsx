import type { Answer, Body } from '@neuroloom/contract/calls'
import type { Post, Reply } from '@neuroloom/contract/social/posts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Posts } from '../../src/features/social/posts/posts.tsx'
import { signIn } from '../make.ts'
import { fill } from '../office/make-orders.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

const at = '2027-01-01T09:00:00.000Z'
const radiologist = { id: 'radiologist', nickName: 'Radiologist', photo: '' }

const makePost = (changes: Partial<Post> = {}): Post => ({
  id: 'post-1',
  author: radiologist,
  at,
  editedAt: null,
  text: 'Which #Stroke data set is open? See https://example.org/data.',
  attachments: [],
  topics: ['stroke'],
  likeCount: 2,
  isLiked: false,
  replyCount: 0,
  isOwn: false,
  isFollowed: false,
  ...changes,
})

const makeReply = (changes: Partial<Reply> = {}): Reply => ({
  id: 'reply-1',
  parentId: null,
  author: radiologist,
  at,
  text: 'ISLES is.',
  isDeleted: false,
  isOwn: false,
  ...changes,
})

type Handlers = Parameters<typeof serve>[0]

function open(handlers: Handlers, address = '/socialHome?tab=posts') {
  signIn()
  const received = serve({
    'social/posts': () => ({ posts: [makePost()], next: null }),
    'social/topics': () => ({ topics: [{ topic: 'stroke', posts: 12 }] }),
    ...handlers,
  })
  const { router } = renderPart(<Posts />, address)
  const sent = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { person: userEvent.setup(), sent, router }
}

const feeds = (sent: Record<string, unknown>[]) =>
  // What pages send by the contract.
  (sent as Body<'social/posts'>[]).map(({ feed }) => feed)

const openPost = (answer: Answer<'social/post'>, handlers: Handlers = {}) =>
  open({ 'social/post': () => answer, ...handlers }, '/socialHome?tab=posts&post=post-1')

describe('the feeds of posts', () => {
  it('show a page at a time, and as text whatever a member wrote', async () => {
    const { person } = open({
      'social/posts': ({ after }) =>
        after === 'second'
          ? { posts: [makePost({ id: 'post-2', text: 'Second', topics: [] })], next: null }
          : { posts: [makePost({ text: '<b>bold</b>\n#stroke', topics: ['stroke'] })], next: 'second' },
    })
    expect(await screen.findByText(/<b>bold<\/b>/)).toBeVisible()
    expect(screen.getAllByRole('article')).toHaveLength(1)
    await person.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('Second')).toBeVisible()
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })

  it('link topics within the product, and other sites without vouching for them', async () => {
    open({})
    const post = within(await screen.findByRole('article', { name: 'Post of Radiologist' }))
    expect(post.getByRole('link', { name: '#Stroke' })).toHaveAttribute(
      'href',
      '/socialHome?tab=posts&topic=stroke',
    )
    const link = post.getByRole('link', { name: 'https://example.org/data' })
    expect(link).toHaveAttribute('rel', 'noopener nofollow')
  })

  it('are of all, of followed members, of a topic or with a text, each at its own address', async () => {
    const { person, sent, router } = open({})
    await screen.findByRole('article')
    await person.click(screen.getByText('Followed'))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=posts&feed=followed'))
    const topics = within(await screen.findByRole('complementary', { name: /^Topics/ }))
    expect(topics.getByText('12 posts')).toBeVisible()
    await person.click(topics.getByRole('link', { name: '#stroke' }))
    expect(await screen.findByRole('heading', { name: '#stroke' })).toBeVisible()
    await fill(person, screen.getByRole('searchbox', { name: 'Search posts' }), 'perfusion')
    await person.keyboard('{Enter}')
    expect(await screen.findByRole('heading', { name: 'Posts with “perfusion”' })).toBeVisible()
    expect(router.state.location.search).toBe('?tab=posts&q=perfusion')
    await waitFor(() =>
      expect(feeds(sent('social/posts'))).toEqual([
        { of: 'all' },
        { of: 'followed' },
        { of: 'topic', topic: 'stroke' },
        { of: 'text', text: 'perfusion' },
      ]),
    )
  })

  it('lead on where they are empty', async () => {
    const { person } = open({ 'social/posts': () => ({ posts: [], next: null }) })
    expect(await screen.findByRole('heading', { name: 'No posts yet' })).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Write a post' }))
    expect(screen.getByRole('textbox', { name: 'New post' })).toHaveFocus()
  })
})

describe('writing a post', () => {
  it('sends it once, and the field is empty for the next', async () => {
    let posts: Post[] = []
    const { person, sent } = open({
      'social/posts': () => ({ posts, next: null }),
      'social/createPost': ({ text }) => {
        const post = makePost({ text, topics: [], isOwn: true })
        posts = [post]
        return post
      },
    })
    const field = await screen.findByRole('textbox', { name: 'New post' })
    expect(screen.getByRole('button', { name: 'Post' })).toBeDisabled()
    await fill(person, field, ' A result ')
    await person.keyboard('{Control>}{Enter}{/Control}')
    expect(
      await within(await screen.findByRole('list', { name: 'Posts' })).findByText('A result'),
    ).toBeVisible()
    expect(field).toHaveValue('')
    expect(sent('social/createPost')).toEqual([
      { requestId: expect.stringMatching(/^\w{32}$/), text: 'A result', attachments: [] },
    ])
  })

  it('that came too soon is refused with the seconds to wait; the text stays, also for a later visit', async () => {
    let isSlow = true
    const { person, sent } = open({
      'social/createPost': ({ text }) => {
        if (isSlow) throw new Refusal('social_slow', { seconds: 25 })
        return makePost({ text })
      },
    })
    const field = await screen.findByRole('textbox', { name: 'New post' })
    await fill(person, field, 'Too soon')
    const send = screen.getByRole('button', { name: 'Post' })
    await person.click(send)
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again in 25 s; your text is kept.')
    expect(field).toHaveValue('Too soon')
    expect(Object.values(localStorage)).toContain('Too soon')
    isSlow = false
    await person.click(send)
    await waitFor(() => expect(field).toHaveValue(''))
    const [first, second] = sent('social/createPost')
    expect(second?.requestId).toBe(first?.requestId)
    expect(Object.values(localStorage)).not.toContain('Too soon')
  })

  it('begins with what was typed before', async () => {
    localStorage.setItem('socialDraft:post', 'Half a sen')
    open({})
    expect(await screen.findByRole('textbox', { name: 'New post' })).toHaveValue('Half a sen')
  })
})

describe('a post', () => {
  it('is liked and liked no more without loading the feed again', async () => {
    let likeCount = 2
    const { person, sent } = open({
      'social/like': ({ isLiked }) => {
        likeCount += isLiked ? 1 : -1
        return { likeCount }
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Like (2 likes)' }))
    const liked = await screen.findByRole('button', { name: 'Like (3 likes)' })
    expect(liked).toHaveAttribute('aria-pressed', 'true')
    await person.click(liked)
    expect(await screen.findByRole('button', { name: 'Like (2 likes)' })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
    expect(sent('social/posts')).toHaveLength(1)
  })

  it('of an author whom one does not follow offers to follow them', async () => {
    const { person, sent } = open({
      'social/follow': () => ({
        ...{ isSelf: false, isFriend: false, application: 'none', isFollowed: true, isBlocked: false },
      }),
    })
    await person.click(await screen.findByRole('button', { name: 'Follow Radiologist' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Follow Radiologist' })).toBeNull())
    expect(sent('social/follow')).toEqual([{ memberId: 'radiologist' }])
  })

  it('of one’s own is edited, and shows what it said before', async () => {
    const own = makePost({ isOwn: true, text: 'First', topics: [] })
    const { person, sent } = open({
      'social/posts': () => ({ posts: [own], next: null }),
      'social/editPost': ({ text }) => ({ ...own, text, editedAt: '2027-01-02T09:00:00.000Z' }),
      'social/postHistory': () => ({ versions: [{ text: 'First', at }] }),
    })
    await person.click(await screen.findByRole('button', { name: 'More about this post' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await fill(person, dialog.getByRole('textbox'), 'Second')
    await person.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Second', { selector: 'article p' })).toBeVisible()
    expect(sent('social/editPost')).toEqual([{ postId: 'post-1', text: 'Second' }])
    await person.click(screen.getByRole('button', { name: /^edited/ }))
    const history = within(await screen.findByRole('dialog', { name: 'Earlier versions' }))
    expect(await history.findByText('First')).toBeVisible()
  })

  it('of one’s own is deleted only once it was confirmed', async () => {
    let posts = [makePost({ isOwn: true, replyCount: 2 })]
    const { person, sent } = open({
      'social/posts': () => ({ posts, next: null }),
      'social/deletePost': () => {
        posts = []
        return {}
      },
    })
    await person.click(await screen.findByRole('button', { name: 'More about this post' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const question = within(await screen.findByRole('dialog', { name: 'Delete this post?' }))
    expect(question.getByText(/Its 2 replies/)).toBeVisible()
    expect(sent('social/deletePost')).toEqual([])
    await person.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByRole('heading', { name: 'No posts yet' })).toBeVisible()
  })
})

describe('the page of a post', () => {
  it('shows replies as threads, and answers one of them', async () => {
    const replies = [
      makeReply(),
      makeReply({ id: 'reply-2', parentId: 'reply-1', text: 'Thank you.', isOwn: true }),
    ]
    const { person, sent } = openPost(
      { post: makePost({ replyCount: 2 }), replies },
      {
        'social/reply': ({ text, parentId }) => {
          const reply = makeReply({ id: 'reply-3', parentId: parentId ?? null, text, isOwn: true })
          replies.push(reply)
          return reply
        },
      },
    )
    const list = await screen.findByRole('list', { name: 'Replies' })
    const [first] = within(list).getAllByRole('button', { name: 'Reply to Radiologist' })
    if (!first) throw new Error('No reply can be answered')
    await person.click(first)
    const field = within(list).getByRole('textbox', { name: 'Reply to Radiologist' })
    expect(field).toHaveFocus()
    await person.paste('Since when?')
    await person.click(within(list).getByRole('button', { name: 'Reply' }))
    expect(await within(list).findByText('Since when?')).toBeVisible()
    expect(sent('social/reply')).toEqual([
      { postId: 'post-1', parentId: 'reply-1', requestId: expect.any(String), text: 'Since when?' },
    ])
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((row) => row.dataset.depth),
    ).toEqual(['0', '1', '1'])
  })

  it('keeps a reply that came too soon', async () => {
    const { person } = openPost(
      { post: makePost(), replies: [] },
      {
        'social/reply': () => {
          throw new Refusal('social_slow', { seconds: 9 })
        },
      },
    )
    const field = await screen.findByRole('textbox', { name: 'Reply to Radiologist' })
    await fill(person, field, 'Me too')
    await person.click(screen.getByRole('button', { name: 'Reply' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again in 9 s')
    expect(field).toHaveValue('Me too')
  })

  it('lets an author delete replies below the own post, and others report them', async () => {
    const { person, sent } = openPost(
      { post: makePost({ isOwn: true }), replies: [makeReply()] },
      { 'social/deleteReply': () => ({}), 'social/report': () => ({}) },
    )
    const list = within(await screen.findByRole('list', { name: 'Replies' }))
    await person.click(list.getByRole('button', { name: 'Report' }))
    await person.click(await screen.findByRole('radio', { name: /patient/i }))
    await person.click(screen.getByRole('button', { name: 'Send the report' }))
    await waitFor(() => expect(sent('social/report')).toMatchObject([{ kind: 'reply', targetId: 'reply-1' }]))
    await person.click(list.getByRole('button', { name: 'Delete' }))
    const question = within(await screen.findByRole('dialog', { name: 'Delete this reply?' }))
    await person.click(question.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent('social/deleteReply')).toEqual([{ replyId: 'reply-1' }]))
  })

  it('that is gone says so and leads to the others', async () => {
    open(
      {
        'social/post': () => {
          throw new Refusal('post_missing')
        },
      },
      '/socialHome?tab=posts&post=gone',
    )
    expect(await screen.findByRole('heading', { name: 'This post is no longer there' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'All posts' })).toHaveAttribute('href', '/socialHome?tab=posts')
  })
})
