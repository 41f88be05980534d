/** What the product refuses or asks around training and testing, as a member meets it: each with its words in English, Chinese and Russian. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetSaid, hasTold, PATIENCE_MS, signIn, type Visit, visit } from './browser.ts'
import { clientOf, makeStage, type Stage } from './rules-stage.ts'
import { type Product, root } from './stack.ts'
import { type Language, type Words, wordsOf } from './words.ts'

type Rule = {
  rule: string
  at: (stage: Stage) => string
  /** What the member does there. */
  meet?: (page: Page, words: Words, stage: Stage) => Promise<void>
  /** All of it is to be read. */
  says: Record<Language, RegExp[]>
  /** What a page and a server say only together: no cheaper test shows it. */
  isCore?: true
}

type Walk = {
  languages: readonly Language[]
  /** All of them; else the core. */
  isWhole: boolean
}

let product: Product
let page: Page
let errors: string[]
let end: Visit['end'] | undefined
let stage: Stage

/** Met first: the training that keeps the device busy would take a core from all that follows. */
const whileBusy: Rule[] = [
  {
    rule: 'a busy device queues the run, with its place',
    at: ({ waiting }) => `/run?id=${waiting}`,
    says: {
      en: [/device is busy. Place \d+ in the queue; it starts automatically/],
      zh: [/设备正忙。当前排在第 \d+ 位，轮到时自动开始/],
      ru: [/Устройство занято. Место в очереди: \d+; запуск произойдёт сам/],
    },
  },
  {
    rule: 'a training is stopped only after it was asked',
    at: ({ long }) => `/run?id=${long}`,
    meet: (page, words) => button(page, words('runs', 'stop.button')).click(),
    says: {
      en: [/Stop this training\?/, /learned so far is kept/],
      zh: [/停止这次训练？/, /学到的内容会保留/],
      ru: [/Остановить обучение\?/, /Обученные веса сохранятся/],
    },
  },
]

const rules: Rule[] = [
  {
    rule: 'a page of one project asks to choose one first',
    at: () => '/projectDetail',
    says: { en: [/Choose a project first/], zh: [/请先选择项目/], ru: [/Сначала выберите проект/] },
  },
  {
    rule: 'without data there is nothing to train on',
    at: ({ empty }) => `/projectDetail?id=${empty}`,
    meet: async (page, words) =>
      expect(await button(page, words('runs', 'train.open')).isDisabled()).toBe(true),
    says: { en: [/Add data first/], zh: [/请先添加数据/], ru: [/Сначала добавьте данные/] },
  },
  {
    rule: 'results are shown in one way at least',
    at: ({ empty }) => `/projectDetail?id=${empty}`,
    meet: async (page) => {
      const chosen = page.locator('#displays').getByRole('checkbox', { checked: true })
      await chosen.first().waitFor()
      for (let left = await chosen.count(); left > 0; left--) {
        await chosen.first().click()
        if (left > 1) await expect.poll(() => chosen.count(), { timeout: 90_000 }).toBe(left - 1)
      }
    },
    says: {
      en: [/Choose at least one way to show results/],
      zh: [/请至少选择一种结果视图/],
      ru: [/Выберите хотя бы один вид результатов/],
    },
  },
  {
    rule: 'a data set of one class is no data set, and what is missing is said',
    at: ({ single }) => `/projectDetail?id=${single}`,
    says: {
      en: [/only one class/, /at least two classes are needed/],
      zh: [/只有一个类别/, /至少需要两个类别/],
      ru: [/только один класс/, /не менее двух классов/],
    },
  },
  {
    rule: 'image part and label part must match, file by file',
    isCore: true,
    at: ({ mispaired }) => `/projectDetail?id=${mispaired}`,
    meet: (page, words) => page.getByText(words('datasets', 'setAsideLink')).click(),
    says: {
      en: [
        /no mask for this image/,
        /Add a mask with the same file name/,
        /not the same size: 64 × 64 and 32 × 32/,
      ],
      zh: [/没有对应的掩膜/, /请添加同名的掩膜/, /大小不同：64 × 64 与 32 × 32/],
      ru: [/нет маски/, /Добавьте маску с тем же именем/, /разного размера: 64 × 64 и 32 × 32/],
    },
  },
  {
    rule: 'the same folder is not imported twice',
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await button(page, words('runs', 'project.useCloud')).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Sample cell shapes' }).click()
      await button(dialog, words('files', 'picker.use')).click()
    },
    says: {
      en: [/already part of the project.*another one/],
      zh: [/不能导入重复的数据集.*其他数据集/],
      ru: [/уже есть в проекте.*другой/],
    },
  },
  {
    rule: 'a training takes an image part and its label part, a network, and 4 : 1 of the data unless told otherwise',
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await openSettings(page, words)
      expect(
        await page.getByRole('radio', { checked: true }).filter({ visible: true }).count(),
      ).toBeGreaterThan(1)
      expect(await field(page, words('runs', 'setting.trainShare.label')).inputValue()).toBe('4')
      expect(await field(page, words('runs', 'setting.testShare.label')).inputValue()).toBe('1')
    },
    says: {
      en: [/Image part: 120 images/, /Label part: 120 labels/],
      zh: [/图像部分：120 张图像/, /标签部分：120 个标签/],
      ru: [/Снимки: 120/, /Разметка: 120/],
    },
  },
  {
    rule: 'cross-validation has 5 to 10 parts',
    isCore: true,
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await openSettings(page, words)
      await page.getByLabel(words('runs', 'setting.method.label')).click()
      await page.getByTitle(words('runs', 'choice.method.kfold')).last().click()
      await field(page, words('runs', 'setting.splits.label')).fill('11')
      expect(await button(page, words('runs', 'train.start')).isDisabled()).toBe(true)
    },
    says: { en: [/Allowed are 5 to 10/], zh: [/允许的范围是 5 到 10/], ru: [/Допустимо от 5 до 10/] },
  },
  {
    rule: 'what the memory does not hold is refused, and the largest batch named',
    isCore: true,
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await openSettings(page, words)
      await field(page, words('runs', 'setting.imageHeight.label')).fill('1024')
      await field(page, words('runs', 'setting.imageWidth.label')).fill('1024')
      await field(page, words('runs', 'setting.batchSize.label')).fill('1024')
      await button(page, words('runs', 'train.start')).click()
    },
    says: {
      en: [/occupies too much memory.*largest batch that fits is [1-9]\d*\..*customer service/],
      zh: [/占用内存过多.*每批 [1-9]\d* 张.*客服/],
      ru: [/слишком много памяти.*пакет не больше [1-9]\d*\..*поддержк/],
    },
  },
  {
    rule: 'few data are to be supplemented, or trained on by the member’s word',
    isCore: true,
    at: ({ few }) => `/projectDetail?id=${few}`,
    meet: async (page, words) => {
      await openTraining(page, words)
      await button(page, words('runs', 'train.start')).click()
      const dialog = page.getByRole('dialog')
      await button(dialog, words('runs', 'fewData.force')).waitFor()
      await button(dialog, words('runs', 'fewData.supplement')).waitFor()
    },
    says: {
      en: [/has only 12 images; 20 or more/, /More data are the best help.*train anyway.*caution/],
      zh: [/只有 12 张图像；建议至少 20 张/, /补充数据.*强制训练.*谨慎/],
      ru: [/только 12 снимков.*не меньше 20/, /добавить данные.*обучить и так.*осторожност/],
    },
  },
  {
    rule: 'where nothing is trained, it is to be trained first',
    at: ({ few }) => `/projectFile?id=${few}&part=models`,
    says: { en: [/Train first/], zh: [/请先训练/], ru: [/Сначала обучите/] },
  },
  {
    rule: 'where nothing is tested, it is to be tested first',
    at: ({ few }) => `/projectFile?id=${few}&part=results`,
    says: { en: [/Test a trained network first/], zh: [/请先测试/], ru: [/Сначала протестируйте/] },
  },
  {
    rule: 'a test takes exactly one data set',
    at: ({ trained }) => `/run?id=${trained}`,
    meet: async (page, words) => {
      await button(page, words('runs', 'test.start')).waitFor()
      const group = page.getByRole('group', { name: words('runs', 'test.dataset') })
      expect(await group.getByRole('radio', { checked: true }).count()).toBe(1)
    },
    says: {
      en: [/Choose a test set/, /only its held-out part is tested/],
      zh: [/选择一个数据集进行测试/, /只测试其中留出的/],
      ru: [/Выберите тестовый набор/, /только отложенная часть/],
    },
  },
  {
    rule: 'a training whose numbers explode ends with a sentence and a remedy',
    at: ({ exploded }) => `/run?id=${exploded}`,
    says: {
      en: [/became unstable in epoch 1/, /smaller learning rate/],
      zh: [/第 1 轮变得不稳定/, /学习率/],
      ru: [/неустойчивым в эпохе 1/, /скоростью обучения меньше/],
    },
  },
  {
    rule: 'a project has a name, and a description of more than spaces',
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await act(page, words, 'rename')
      const dialog = page.getByRole('dialog')
      await dialog.locator('#rename-project-name').fill('  ')
      await dialog.locator('#rename-project-description').fill('  ')
    },
    says: {
      en: [/give the project a name/, /only spaces/],
      zh: [/请填写项目名称/, /只有空格/],
      ru: [/Введите название проекта/, /только пробелы/],
    },
  },
  {
    rule: 'nobody shares with oneself',
    isCore: true,
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: (page, words) => shareWith(page, words, product.member?.account ?? ''),
    says: {
      en: [/cannot share with yourself/],
      zh: [/不能共享给自己/],
      ru: [/Нельзя открыть доступ самому себе/],
    },
  },
  {
    rule: 'nobody is given access twice',
    isCore: true,
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: (page, words) => shareWith(page, words, product.administrator?.account ?? ''),
    says: {
      en: [/has access already. Change the permission/],
      zh: [/已有访问权限.*修改其权限/],
      ru: [/уже есть доступ. Измените разрешение/],
    },
  },
]

/** What the lowest level does not hold; the member has more projects and trained networks than that by now. */
const ofLowLevels: Rule[] = [
  {
    rule: 'a level holds so many projects',
    isCore: true,
    at: () => '/projectHome',
    meet: async (page, words) => expect(await button(page, words('projects', 'new')).isDisabled()).toBe(true),
    says: {
      en: [/of 3 projects used/, /holds no more projects/, /Delete a project.*upgrade your membership/],
      zh: [/共 3 个/, /不能再增加项目/, /删除不再需要的项目，或升级会员/],
      ru: [/из 3 проектов/, /больше проектов создать нельзя/, /Удалите проект.*повысьте уровень/],
    },
  },
  {
    rule: 'only gold members change how a network is trained',
    isCore: true,
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await openSettings(page, words)
      expect(await field(page, words('runs', 'setting.epochs.label')).isDisabled()).toBe(true)
    },
    says: {
      en: [/Only gold and super members/, /chosen from your data.*upgrade to the gold level/],
      zh: [/只有金牌和超级会员/, /根据您的数据选定.*升级为金牌会员/],
      ru: [/только золотые и суперучастники/, /подобраны по вашим данным.*золотой уровень/],
    },
  },
  {
    rule: 'a level keeps so many trained networks',
    isCore: true,
    at: ({ ready }) => `/projectDetail?id=${ready}`,
    meet: async (page, words) => {
      await openTraining(page, words)
      await button(page, words('runs', 'train.start')).click()
    },
    says: {
      en: [/Which trained network may go\?/, /keeps no further trained network/],
      zh: [/可以删除哪个已训练的网络/, /不能再保留更多已训练的网络/],
      ru: [/Какую обученную сеть можно удалить\?/, /не позволяет хранить больше обученных сетей/],
    },
  },
  {
    rule: 'reports are downloaded from bronze on',
    at: ({ tested }) => `/report?id=${tested}`,
    says: {
      en: [/from bronze membership on/],
      zh: [/铜牌及以上会员可以下载/],
      ru: [/начиная с бронзового уровня/],
    },
  },
]

/** The tests of a file of its own. */
export function walkRules({ languages, isWhole }: Walk) {
  const chosen = (all: Rule[]) => all.filter(({ isCore = false }) => isWhole || isCore)
  beforeAll(async () => {
    ;({ product, page, errors, end } = await visit())
    await signIn(page, product)
    page.setDefaultTimeout(90_000)
    const client = await clientOf(page, product.url)
    stage = await makeStage(client, { colleague: product.administrator?.account ?? '', isWhole })
  })

  afterAll(() => end?.())

  if (isWhole)
    describe('while the device is busy', () => {
      for (const language of languages)
        test.each(whileBusy)(`$rule (${language})`, (rule) => check(rule, language))
      afterAll(() => stage?.release())
    })

  describe.each(languages)('the rules of training and testing in %s', (language) => {
    test.each(chosen(rules))('$rule', (rule) => check(rule, language))
  })

  describe('with the lowest level', () => {
    beforeAll(() => setLevel(1))
    for (const language of languages)
      test.each(chosen(ofLowLevels))(`$rule (${language})`, (rule) => check(rule, language))
  })

  test('the browser reported no error on the way', () => {
    expect(errors).toEqual([])
  })
}

async function check({ at, meet, says }: Rule, language: Language) {
  await page.evaluate((chosen) => sessionStorage.setItem('theLanguage', chosen), language)
  await page.goto(product.url + at(stage))
  // Of the page before.
  forgetSaid(page)
  const read = (text: RegExp) => {
    const shown = page.getByText(text).filter({ visible: true })
    // Some are there for two seconds, and were said then.
    const isRead = async () => hasTold(page, text) || (await shown.count()) > 0
    return expect.poll(isRead, { message: `${text}`, timeout: PATIENCE_MS }).toBe(true)
  }
  await Promise.all([...says[language].map(read), meet?.(page, wordsOf(language), stage)])
}

/** As an operator does it at the server. */
function setLevel(level: number) {
  const { dataDir, member } = product
  execFileSync(
    process.execPath,
    [join(root, 'server/bundle/admin.js'), 'level', member?.account ?? '', `${level}`],
    {
      env: { ...process.env, DATA_DIR: dataDir, MODE: 'trial' },
    },
  )
}

const button = (within: Page | Locator, name: RegExp): Locator =>
  within.getByRole('button', { name }).filter({ visible: true }).first()

const field = (within: Page, label: RegExp): Locator => within.getByRole('spinbutton', { name: label })

/** By the keyboard: what is told of the data comes bit by bit above the button, and moves it away between press and release. */
async function openTraining(page: Page, words: Words) {
  const opens = button(page, words('runs', 'train.open'))
  await expect.poll(() => opens.isEnabled(), { timeout: PATIENCE_MS }).toBe(true)
  await opens.press('Enter')
}

async function openSettings(page: Page, words: Words) {
  await openTraining(page, words)
  // What comes last moves the settings down.
  await page.getByText(words('queue', 'begin.scratch')).first().waitFor()
  await page.getByText(words('runs', 'settings.all')).click()
  await field(page, words('runs', 'setting.epochs.label')).waitFor()
}

async function act(page: Page, words: Words, action: 'rename' | 'share') {
  await button(page, /Tell cell shapes apart/).click()
  await page.getByRole('menuitem', { name: words('projects', action) }).click()
}

async function shareWith(page: Page, words: Words, account: string) {
  await act(page, words, 'share')
  const dialog = page.getByRole('dialog')
  await dialog.locator('#share-account').fill(account)
  await button(dialog, words('sharing', 'share')).click()
}
