/** Whatever ends a run: the page of the run says what happened and what to do, in each language and in whole sentences. */
import { runErrors } from '@neuroloom/contract/engine'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { RunNotices } from '../../src/features/runs/run-notices.tsx'
import { setLanguage } from '../../src/lib/i18n.ts'
import { renderPart } from '../render.tsx'
import { makeRun } from './runs-make.ts'

/** All that any of the sentences names. */
const params = {
  ...{
    files: ['scan 1.png', 'scan 2.png'],
    packages: ['scipy', 'h5py'],
    count: 3,
    name: 'Scans',
    have: 2,
    need: 10,
  },
  ...{ needBytes: 8 * 1024 ** 3, haveBytes: 4 * 1024 ** 3, tryBatch: 16, epoch: 4, learningRate: 0.01 },
}

/** The messages that the specification names, each as a person must read it. */
const said: Partial<Record<(typeof runErrors)[number], Record<string, [RegExp, RegExp]>>> = {
  program_terminated: {
    en: [/crashed several times/, /environment and the settings/],
    zh: [/意外/, /环境.*设置/],
    ru: [/неожиданно/, /окружение.*настройки|среду.*настройки/],
  },
  memory_estimate_exceeded: {
    en: [/8 GB of memory; 4 GB/, /smaller network.*batch size of 16/],
    zh: [/8 GB.*4 GB/, /网络.*16/],
    ru: [/8 ГБ.*4 ГБ/, /сеть.*16/],
  },
  out_of_memory: {
    en: [/memory of the device was not enough/, /batch size of 16/],
    zh: [/内存.*不足|内存不够/, /16/],
    ru: [/[Пп]амяти.*не хватило/, /16/],
  },
  loss_not_finite: {
    en: [/epoch 4/, /smaller learning rate than 0\.01/],
    zh: [/4/, /学习率.*0\.01|0\.01.*学习率/],
    ru: [/4/, /0,01/],
  },
  disk_full: {
    en: [/no disk space/, /administrator/],
    zh: [/磁盘空间已用完/, /管理员/],
    ru: [/нет.*места|закончилось место/, /администратор/],
  },
}

describe.each(['en', 'zh', 'ru'] as const)('a failed run in %s', (language) => {
  it.each(runErrors)('says what happened and what to do: %s', async (code) => {
    await setLanguage(language)
    renderPart(<RunNotices run={makeRun({ state: 'failed', error: { code, params } })} warnings={[]} />)
    const alert = await screen.findByRole('alert')
    // Words of a flow run come with a file of their own.
    await waitFor(() => expect(alert.querySelector('.ant-alert-description')).not.toBeEmptyDOMElement())
    const [what = '', todo = ''] = [
      ...alert.querySelectorAll('.ant-alert-title, .ant-alert-description'),
    ].map((part) => part.textContent ?? '')
    for (const sentence of [what, todo]) {
      expect(sentence).toMatch(/[.。]$/)
      // Neither a hole nor the name of a text.
      expect(sentence).not.toMatch(/[{}]|undefined|NaN|runError/)
      if (language !== 'en') expect(sentence).toMatch(/\p{Script=Han}|\p{Script=Cyrillic}/u)
    }
    const [happened, remedy] = said[code]?.[language] ?? []
    if (happened && remedy) {
      expect(what).toMatch(happened)
      expect(todo).toMatch(remedy)
    }
  })
})
