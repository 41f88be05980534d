import { readFileSync } from 'node:fs'
import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import { flowFormats, flowLights, flowVendorNames, phantoms } from '@neuroloom/contract/flow/named'
import { labelFormats } from '@neuroloom/contract/labelling/label-formats'
import { flow as limits, planTable } from '@neuroloom/contract/limits'
import { openedEndings, openedImages } from '@neuroloom/contract/opened'
import { stepGroups } from '@neuroloom/contract/recipes/step-groups'
import { tasks } from '@neuroloom/contract/task'
import { tools } from '@neuroloom/contract/toolbox/toolbox'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.tsx'
import { facts } from '../../src/features/site/facts.ts'
import { sitePaths } from '../../src/features/site/pages.ts'
import * as goal from '../../src/lib/goal.ts'
import { inLanguage, languages, languageTags } from '../../src/lib/language.ts'
import { makeSetting, signIn } from '../make.ts'
import { renderRoutes } from '../render.tsx'
import { serve } from '../serve.ts'

const open = { 'setting/public': () => makeSetting() }
const addresses = languages.flatMap((language) =>
  sitePaths.map((path) => ({ language, path, address: inLanguage(path, language) })),
)

/** Names, formats, commands and file names, which are written in Latin letters everywhere. */
const allowed = new Set(
  `Neuroloom DRIPE ONNX Runtime PyTorch safetensors CSV ZIP TAR PNG JPEG TIFF BMP WebP GIF DICOM NIfTI NRRD MHA flow MRI ResNet
  MobileNetV2 Net Dice IoU ROC AUC Chrome Edge Firefox Safari Linux Node NVIDIA npm start demo Ctrl End React Fastify Ant
  Design MIT BSD PostgreSQL QR WeChat Pay Alipay js MedNIST AbdomenCT BreastMRI ChestXRay Hand mednist png jpg PORT DATA DIR PUBLIC URL
  DEPLOYMENT MODE private production http dev outbox is ready at English MB GB TB AI WebAssembly YAML SVG Mac
  CT Pascal VOC COCO YOLO LabelMe CVAT CLAIM xml train val test nii gz FCOS CenterNet EDSR ESPCN SRResNet
  SRCNN DnCNN PDF TorchScript Python JSON Excel numpy NumPy npy Pillow mAP PSNR SSIM Shift Enter Esc Delete Del Page Space Alt F2 GrowCut
  VENC GE Siemens Philips United Imaging PAR REC HDF5 DFlowNet MAT MATLAB vti vtk Womersley Lamb Oseen Taylor Green Arnold
  Beltrami Childress Poiseuille Hill CLAHE STAPLE N4 HU Kappa Bland Altman XML OBB segment pose Slicer SEG seg nrrd Qp Qs VTK MP4 WebM width nodes conv op out pool maxpool mean globalavg answer linear classes`.split(
    /\s+/,
  ),
)

let missing: string[] = []
const note = (_: readonly string[], namespace: string, key: string) => missing.push(`${namespace}:${key}`)
beforeAll(() => {
  i18next.options.saveMissing = true
  i18next.on('missingKey', note)
})
afterAll(() => {
  i18next.options.saveMissing = false
  i18next.off('missingKey', note)
})

describe.each(addresses)('the public page $address', ({ language, address }) => {
  it('has one heading, a title, its language, every text, and no English left', async () => {
    missing = []
    serve(open)
    sessionStorage.setItem('theLanguage', language)
    renderRoutes(routes, address)
    const heading = await screen.findByRole('heading', { level: 1 })
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(heading.textContent).not.toBe('')
    await waitFor(() => expect(document.title).toMatch(/Neuroloom/))
    expect(document.title.length).toBeGreaterThan(12)
    expect(document.querySelector('meta[name="description"]')?.getAttribute('content')).toMatch(/.{15}/)
    expect(document.documentElement.lang).toBe(languageTags[language])
    expect(missing).toEqual([])
    // What index.html and the page's texts are found by; of a section called so they were read instead.
    expect(document.body.querySelector('#root, #texts')).toBeNull()
    const text = [...document.body.querySelectorAll('*')].map(ownText).join(' ')
    expect(text).not.toMatch(/\{\{/)
    if (language !== 'en') expect(foreignWords(text)).toEqual([])
  })
})

const ownText = (element: Element): string =>
  [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent)
    .join(' ')

/** Names of formats and endings of files are the same in every language. */
const formats = new Set(
  [openedImages.volumes, openedImages.pictures, openedEndings]
    .flatMap((group) => Object.values(group).flat())
    .flatMap((name) => name.match(/[A-Za-z][A-Za-z0-9]+/g) ?? []),
)

const foreignWords = (text: string): string[] =>
  [...new Set(text.match(/[A-Za-z][A-Za-z0-9]+/g) ?? [])].filter(
    (word) => !allowed.has(word) && !formats.has(word) && !/^\d/.test(word),
  )

describe.each(languages)('what the product can do is drawn from the contract, in %s', (language) => {
  it('every task and every network on /tool, every task on the front page', async () => {
    serve(open)
    sessionStorage.setItem('theLanguage', language)
    const { unmount } = renderRoutes(routes, inLanguage('/tool', language))
    await screen.findByRole('heading', { level: 1 })
    const said = (namespace: string, key: string): string => i18next.t(`${namespace}:${key}`)
    for (const task of tasks)
      expect(screen.getAllByText(said('tasks', `name.${task}`)).length).toBeGreaterThan(0)
    for (const id of Object.values(builtInNetworks).flat())
      expect(screen.getByRole('rowheader', { name: said('networks', `${id}.title`) })).toBeVisible()
    for (const name of [
      ...Object.values(openedImages.volumes),
      ...Object.values(openedImages.pictures),
      '.xlsx',
      '.pdf',
    ])
      expect(screen.getAllByText((text) => text.includes(name)).length).toBeGreaterThan(0)
    unmount()
    renderRoutes(routes, inLanguage('/', language))
    await screen.findByRole('heading', { level: 1 })
    for (const task of tasks) expect(screen.getByText(said('tasks', `name.${task}`))).toBeVisible()
  })
})

it.each(languages)('tutorials list what the contract lists, in %s', async (language) => {
  serve(open)
  sessionStorage.setItem('theLanguage', language)
  const said = (namespace: string, key: string): string => i18next.t(`${namespace}:${key}`)
  const { unmount } = renderRoutes(routes, inLanguage('/tutorial/toolbox', language))
  await screen.findByRole('heading', { level: 1 })
  for (const { name, level } of tools) {
    const head = screen.getByRole('rowheader', { name: said('toolbox', `tool.${name}.title`) })
    const row = head.closest('tr')
    expect(row).toHaveTextContent(said('toolbox', `tool.${name}.text`))
    if (level > 0) expect(row).toHaveTextContent(said('toolbox', `from.${level}`))
  }
  for (const name of stepGroups.flatMap(({ names }): readonly string[] => names))
    expect(screen.getByRole('rowheader', { name: said('recipes', `step.${name}.name`) })).toBeVisible()
  expect(document.body).toHaveTextContent(said('errors', 'application_unavailable'))
  unmount()
  const { unmount: unmountLabels } = renderRoutes(routes, inLanguage('/tutorial/labelling', language))
  await screen.findByRole('heading', { level: 1 })
  for (const format of labelFormats)
    expect(screen.getByText(said('label-exchange', `format.${format}`))).toBeVisible()
  unmountLabels()
  renderRoutes(routes, inLanguage('/tutorial/flow', language))
  await screen.findByRole('heading', { level: 1 })
  const rowOf = (name: string) => screen.getByRole('rowheader', { name }).closest('tr')
  for (const name of flowLights)
    expect(rowOf(said('flow-run', `light.${name}`))).toHaveTextContent(said('flow-run', `todo.${name}`))
  for (const name of phantoms)
    expect(rowOf(said('flow', `flow.${name}.name`))).toHaveTextContent(said('flow', `flow.${name}.text`))
  const vendors = Object.values(flowVendorNames).join(', ')
  for (const source of flowFormats)
    expect(screen.getByText(i18next.t(`flow:about.${source}`, { vendors }))).toBeVisible()
  for (const most of [limits.sections, limits.figures])
    expect(document.body).toHaveTextContent(new RegExp(`\\b${most}\\b`))
  // Colours of lights are called as the page calls them.
  for (const colour of ['green', 'amber', 'red', 'grey'])
    expect(screen.getByRole('rowheader', { name: said('flow-run', `colour.${colour}`) })).toBeVisible()
})

/** Written out, they would fall behind when the product changes. That none stays unfilled is seen above. */
it.each(languages)('public texts in %s take the limits that they name from the contract', (language) => {
  const textOf = (file: string) =>
    readFileSync(
      `${import.meta.dirname}/../../src/locales/${language}/${file.startsWith('tutorial-') ? 'tutorials/' : ''}${file}.json`,
      'utf8',
    )
  const named = {
    tool: 'fileSize folderFiles looseFiles megapixels minLabels minFolds maxFolds networkCount',
    description: 'minItems fewPerClass networkCount',
    'tutorial-registration': 'codeDigits codeMinutes codeWaitSeconds passwordLength',
    'tutorial-cloud': 'looseFiles folderFiles',
    'tutorial-ai': 'minCompared maxCompared minItems minPerClass',
    'tutorial-labelling': 'minLabels labelClasses labelReaders roundEvery roundAside',
    'tutorial-toolbox': 'recipeSteps recipeSamples',
    'tutorial-social': 'withdrawMinutes chatGroupMembers topicDays opinionStudies opinionLeast',
  }
  for (const [file, names] of Object.entries(named))
    for (const name of names.split(' ')) {
      expect(textOf(file), `${file} in ${language}`).toContain(`{{${name}}}`)
      expect(facts()).toHaveProperty(name)
    }
})

describe('the language of a public address', () => {
  it('gives way to the language chosen before, where the address names none', async () => {
    serve(open)
    sessionStorage.setItem('theLanguage', 'ru')
    const { router } = renderRoutes(routes, '/tool?from=mail')
    expect(await screen.findByRole('heading', { name: 'С чем работает Neuroloom' })).toBeVisible()
    expect(router.state.location).toMatchObject({ pathname: '/ru/tool', search: '?from=mail' })
  })

  it('is kept for the session, and wins over the one chosen before', async () => {
    serve(open)
    sessionStorage.setItem('theLanguage', 'ru')
    renderRoutes(routes, '/zh/about')
    expect(await screen.findByRole('heading', { name: /关于 Neuroloom/ })).toBeVisible()
    expect(sessionStorage.getItem('theLanguage')).toBe('zh')
  })

  it('changes to the same page in the language that is chosen', async () => {
    serve(open)
    const { router } = renderRoutes(routes, '/scenes')
    await screen.findByRole('heading', { name: 'Use cases' })
    const select = screen.getByRole('combobox', { name: 'Language' })
    expect(select).toHaveStyle({ width: '85px' })
    await userEvent.selectOptions(select, 'zh')
    expect(await screen.findByRole('heading', { name: '应用场景' })).toBeVisible()
    expect(router.state.location.pathname).toBe('/zh/scenes')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '语言' }), 'en')
    expect(await screen.findByRole('heading', { name: 'Use cases' })).toBeVisible()
    expect(router.state.location.pathname).toBe('/scenes')
  })

  it('stands in every link between public pages', async () => {
    serve(open)
    renderRoutes(routes, '/ru/tutorial')
    await screen.findByRole('heading', { name: 'Руководства', level: 1 })
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '')
    const inside = links.filter((href) => !href.startsWith('#') && href !== '/login')
    expect(inside.length).toBeGreaterThan(15)
    expect(inside.filter((href) => href !== '/ru' && !href.startsWith('/ru/'))).toEqual([])
  })

  it('is told to search engines with its alternatives', async () => {
    serve(open)
    renderRoutes(routes, '/zh/tool')
    await screen.findByRole('heading', { name: '功能与格式' })
    const href = (selector: string) => document.head.querySelector(selector)?.getAttribute('href')
    await waitFor(() => expect(href('link[rel="canonical"]')).toBe(`${location.origin}/zh/tool`))
    expect(href('link[hreflang="en"]')).toBe(`${location.origin}/tool`)
    expect(href('link[hreflang="ru"]')).toBe(`${location.origin}/ru/tool`)
    expect(href('link[hreflang="x-default"]')).toBe(`${location.origin}/tool`)
  })
})

describe('the front page', () => {
  const tiles = async () => {
    const region = await screen.findByRole('region', { name: 'Where would you like to begin?' })
    return within(region)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
  }

  it('leads a visitor to sign-in from every tile', async () => {
    serve(open)
    renderRoutes(routes, '/')
    expect(await tiles()).toEqual(['/login', '/login', '/login', '/login', '/login', '/login'])
    // Beside the new account.
    const main = within(screen.getByRole('main'))
    expect(await main.findByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
  })

  it('leads a member straight to the modules, without the back-office', async () => {
    serve(open)
    signIn()
    renderRoutes(routes, '/')
    expect(await tiles()).toEqual(['/projectHome', '/cloudHome', '/run', '/dripe', '/socialHome'])
    expect(screen.getByRole('link', { name: 'Workspace' })).toHaveAttribute('href', '/mangeHome')
  })

  it('leads an administrator to the back-office as well', async () => {
    serve(open)
    signIn({ role: 2 })
    renderRoutes(routes, '/')
    expect(await tiles()).toContain('/admin')
  })

  it.each([
    ['en', 'Create a free account', 'Try it now'],
    ['zh', '免费注册账号', '立即试用'],
    ['ru', 'Создать бесплатную учётную запись', 'Попробовать сейчас'],
  ] as const)(
    'offers an account in %s to whoever has none, and the demonstration',
    async (language, name, demo) => {
      serve(open)
      sessionStorage.setItem('theLanguage', language)
      const { container, unmount } = renderRoutes(routes, inLanguage('/', language))
      // Until the server says that people make accounts here, signing in has its place.
      const link = await screen.findByRole('link', { name })
      expect(link).toHaveAttribute('href', '/register')
      expect(screen.getByRole('link', { name: demo })).toHaveAttribute(
        'href',
        `${inLanguage('/', language)}#demo`,
      )
      expect(container.querySelector('#demo')).toBeVisible()
      expect(container.querySelector('[data-open]')).toHaveAttribute('data-open', 'true')
      unmount()
      signIn()
      renderRoutes(routes, inLanguage('/', language))
      await screen.findByRole('heading', { level: 1 })
      expect(screen.queryByRole('link', { name })).toBeNull()
    },
  )

  it('has the links of the start page below it, a visitor’s recycle station behind the sign-in', async () => {
    serve(open)
    renderRoutes(routes, '/')
    const below = within(await screen.findByRole('contentinfo'))
    const hrefOf = (name: string) => below.getByRole('link', { name }).getAttribute('href')
    const names = ['Operation steps', 'Private customisation', 'Online consultation', 'Membership activation']
    expect([...names, 'Social centre', 'About'].map(hrefOf)).toEqual([
      '/step',
      '/consult?topic=training',
      '/consult',
      '/login',
      '/login',
      '/about',
    ])
    await userEvent.click(below.getByRole('link', { name: 'Recycle station' }))
    expect(goal.take()).toBe('/projectRubbish')
  })

  it('leads a visitor to the plans by the sign-in', async () => {
    serve(open)
    renderRoutes(routes, '/')
    const below = within(await screen.findByRole('contentinfo'))
    await userEvent.click(below.getByRole('link', { name: 'Membership activation' }))
    expect(goal.take()).toBe('/userCenter?tab=upgrade')
  })

  it('says that this is a trial, and which version it is', async () => {
    serve(open)
    renderRoutes(routes, '/')
    const footer = await screen.findByRole('contentinfo')
    expect(await within(footer).findByText('Trial')).toBeVisible()
    expect(await within(footer).findByText('Neuroloom 1.2.3')).toBeVisible()
  })
})

it('promises shares only to those who may share', async () => {
  serve(open)
  renderRoutes(routes, '/tutorial/registration')
  const cellsOf = async (name: string) => {
    const row = (await screen.findByRole('rowheader', { name })).closest('tr')
    return [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent)
  }
  // Visitors first, then ordinary members.
  for (const name of ['Data sets shared', 'Models shared', 'Accounts for each share', 'Groups created'])
    expect((await cellsOf(name))[0], name).toBe('0')
  expect((await cellsOf('Accounts for each share'))[1]).toBe('3')
})

describe('the tutorials', () => {
  it.each([
    ['en', 'MASK size', 'Files that were set aside'],
    ['zh', '撤销', '重命名、复制、共享与删除'],
    ['ru', 'ползунок', 'Вход'],
  ] as const)('are searched in %s while one types "%s"', async (language, query, title) => {
    serve(open)
    renderRoutes(routes, inLanguage('/tutorial', language))
    const box = await screen.findByRole('searchbox')
    await userEvent.type(box, query)
    const found = within(box.closest('search') ?? document.body).getAllByRole('link')
    const link = found.find(({ textContent }) => textContent?.endsWith(`· ${title}`))
    expect(link?.getAttribute('href')).toMatch(new RegExp(`^${inLanguage('/tutorial', language)}/\\w+#\\w+$`))
  })

  it('say so when nothing is found', async () => {
    serve(open)
    renderRoutes(routes, '/tutorial')
    await userEvent.type(await screen.findByRole('searchbox'), 'qqqq')
    expect(screen.getByText('Nothing found. Try a shorter or another word.')).toBeVisible()
  })

  const levelsTable = async () => {
    renderRoutes(routes, '/tutorial/registration')
    const table = within(await screen.findByRole('region', { name: 'What each membership level allows' }))
    return (name: string) => {
      const [head, ...rows] = table.getAllByRole('row')
      const texts = (row: HTMLElement | undefined) =>
        row ? [...row.children].map(({ textContent }) => textContent) : []
      const at = texts(head).indexOf(name)
      return rows.map((row) => texts(row)[at])
    }
  }
  const rights = ['yes', 'yes', 'yes', 'yes', 'yes']

  it('show the limits that the product itself keeps to', async () => {
    serve(open)
    const column = await levelsTable()
    expect(column('Ordinary member')).toEqual(
      '3,3,1 GB,1,0,0,3,1,3,7'.split(',').concat(['no', 'no', 'no', 'no', 'no']),
    )
    expect(column('Bronze member')).toEqual(
      '6,6,500 GB,3,2,2,10,5,6,14'.split(',').concat(['yes', 'no', 'no', 'yes', 'no']),
    )
    expect(column('Gold member')).toEqual('24,24,2 TB,9,8,8,50,20,24,90'.split(',').concat(rights))
    expect(column('Super member')).toEqual([...Array.from({ length: 9 }, () => 'no limit'), '90', ...rights])
  })

  it('show the limits of this server as soon as they are known', async () => {
    const [ordinary, bronze, silver, gold] = planTable
    const own = { ...bronze, projects: 10, sharedModels: null, storageBytes: 1024 ** 4 }
    serve({
      ...open,
      'plans/limits': () => ({ levels: [ordinary, own, silver, { ...gold, recycleDays: 365 }] }),
    })
    const column = await levelsTable()
    await waitFor(() =>
      expect(column('Bronze member').slice(0, 10)).toEqual('10,6,1 TB,3,2,no limit,10,5,6,14'.split(',')),
    )
    expect(column('Silver member')[0]).toBe('12')
    expect(column('Super member')[9]).toBe('365')
  })

  it('keep to the product’s limits where a server has no levels', async () => {
    const received = serve({ ...open, 'plans/limits': () => ({ levels: [] }) })
    const column = await levelsTable()
    await waitFor(() => expect(received.some(({ path }) => path === 'plans/limits')).toBe(true))
    expect(column('Bronze member')[0]).toBe('6')
  })

  it('have an anchor at every heading, and lead on', async () => {
    serve(open)
    const { router } = renderRoutes(routes, '/tutorial/cloud')
    const heading = await screen.findByRole('heading', { name: /^Upload/ })
    expect(heading).toHaveAttribute('id', 'upload')
    expect(within(heading).getByRole('link')).toHaveAttribute('href', '#upload')
    await userEvent.click(screen.getByRole('link', { name: 'Next: Labelling' }))
    await screen.findByRole('heading', { name: 'Labelling', level: 1 })
    expect(router.state.location.pathname).toBe('/tutorial/labelling')
  })

  it('answer an unknown name within the frame', async () => {
    serve(open)
    renderRoutes(routes, '/tutorial/nothing')
    expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
    expect(screen.getByRole('contentinfo')).toBeVisible()
  })
})

it('the pages can be printed', async () => {
  serve(open)
  let printed = 0
  window.print = () => {
    printed += 1
  }
  renderRoutes(routes, '/step')
  await userEvent.click(await screen.findByRole('button', { name: 'Print' }))
  await waitFor(() => expect(printed).toBe(1))
})
