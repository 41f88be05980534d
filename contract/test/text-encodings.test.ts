import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import { decodeText, guessEncoding, markedEncoding } from '@neuroloom/contract/names/text-encodings'
import { describe, expect, it } from 'vitest'

/** Names of one archive, and their bytes as Python writes them. */
const cases: [TextEncoding, string[], string[]][] = [
  ['gb18030', ['新建.png'], ['d0c2bda82e706e67']],
  ['gb18030', ['图.png'], ['cdbc2e706e67']],
  ['gb18030', ['肺癌_001.png', '肺癌_002.png'], ['b7ceb0a95f3030312e706e67', 'b7ceb0a95f3030322e706e67']],
  ['gb18030', ['患者影像/左肺.dcm'], ['bbbcd5dfd3b0cff12fd7f3b7ce2e64636d']],
  ['gb18030', ['新建文件夹/副本.txt'], ['d0c2bda8cec4bcfebcd02fb8b1b1be2e747874']],
  ['gb18030', ['训练集/良性/张三.png'], ['d1b5c1b7bcaf2fc1bcd0d42fd5c5c8fd2e706e67']],
  ['gb18030', ['报告.pdf'], ['b1a8b8e62e706466']],
  ['gb18030', ['鼷鼠.png', '数据.csv'], ['f7fbcaf32e706e67', 'cafdbedd2e637376']],
  ['big5', ['影像資料.png'], ['bc76b9b3b8eaaec62e706e67']],
  ['big5', ['新增資料夾/圖片.png'], ['b773bc57b8eaaec6a7a82fb9cfa4f92e706e67']],
  ['big5', ['病患影像/左肺.dcm'], ['af66b177bc76b9b32fa5aaaacd2e64636d']],
  ['big5', ['報告.pdf'], ['b3f8a7692e706466']],
  ['big5', ['醫院/檢查.txt'], ['c2e5b07c2fc0cbac642e747874']],
  ['shift_jis', ['写真.png'], ['8eca905e2e706e67']],
  ['shift_jis', ['新しいフォルダー/画像.png'], ['905682b582a283748348838b835f815b2f89e6919c2e706e67']],
  ['shift_jis', ['患者データ.csv'], ['8ab38ed28366815b835e2e637376']],
  ['shift_jis', ['胸部レントゲン.dcm'], ['8bb99594838c83938367835183932e64636d']],
  ['shift_jis', ['コピー.txt'], ['83528373815b2e747874']],
  ['shift_jis', ['日本語.txt'], ['93fa967b8cea2e747874']],
  ['ibm866', ['снимок.png'], ['e1ada8acaeaa2e706e67']],
  ['ibm866', ['Новая папка/фото.png'], ['8daea2a0ef20afa0afaaa02fe4aee2ae2e706e67']],
  ['ibm866', ['КТ грудной клетки/срез 1.dcm'], ['8a9220a3e0e3a4adaea920aaaba5e2aaa82fe1e0a5a720312e64636d']],
  ['ibm866', ['Иванов.txt'], ['88a2a0adaea22e747874']],
  ['ibm866', ['да.txt'], ['a4a02e747874']],
  ['ibm866', ['ОТЧЁТ.pdf'], ['8e9297f0922e706466']],
  [
    'ibm866',
    ['лёгкие_001.png', 'лёгкие_002.png'],
    ['abf1a3aaa8a55f3030312e706e67', 'abf1a3aaa8a55f3030322e706e67'],
  ],
  ['windows-1251', ['снимок.png'], ['f1ede8eceeea2e706e67']],
  ['windows-1251', ['Новая папка/фото.png'], ['cdeee2e0ff20efe0efeae02ff4eef2ee2e706e67']],
  ['windows-1251', ['Пациент Петров.dcm'], ['cfe0f6e8e5edf220cfe5f2f0eee22e64636d']],
  ['windows-1251', ['МРТ.txt'], ['ccd0d22e747874']],
  ['windows-1251', ['заключение врача.doc'], ['e7e0eaebfef7e5ede8e520e2f0e0f7e02e646f63']],
  ['windows-1251', ['данные.csv'], ['e4e0ededfbe52e637376']],
  ['windows-1251', ['да.txt'], ['e4e02e747874']],
  ['windows-1252', ['café.png'], ['636166e92e706e67']],
  ['windows-1252', ['Müller.dcm'], ['4dfc6c6c65722e64636d']],
  ['windows-1252', ['señal.txt'], ['7365f1616c2e747874']],
  ['windows-1252', ['Übung/größe.png'], ['dc62756e672f6772f6df652e706e67']],
  ['windows-1252', ['résumé.pdf'], ['72e973756de92e706466']],
  ['utf-8', ['снимок.png'], ['d181d0bdd0b8d0bcd0bed0ba2e706e67']],
  ['utf-8', ['新建.png'], ['e696b0e5bbba2e706e67']],
  ['utf-8', ['écho.png'], ['c3a963686f2e706e67']],
  ['utf-8', ['плёнка.png'], ['d0bfd0bbd191d0bdd0bad0b02e706e67']],
]

describe('the guess', () => {
  it.each(cases)('of %s reads %j', (encoding, names, written) => {
    const bytes = written.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
    expect(guessEncoding(bytes)).toBe(encoding)
    expect(bytes.map((one) => decodeText(one, encoding))).toEqual(names)
  })

  it('is made of all names together: those that could be anything follow those that tell', () => {
    const ofName = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
    // Two capitals, which are also one Chinese character.
    const short = ofName('cad2')
    expect(decodeText(short, 'windows-1251')).toBe('КТ')
    expect(guessEncoding([short, ofName('d1ede8ece3eae82e706e67')])).toBe('windows-1251')
    expect(guessEncoding([short, ofName('d0c2bda8cec4bcfebcd0')])).toBe('gb18030')
  })

  it('leaves Unicode and plain letters what they are', () => {
    expect(guessEncoding([Buffer.from('plain.png'), Buffer.from('плёнка.png')])).toBe('utf-8')
    expect(guessEncoding([])).toBe('utf-8')
  })

  it('survives bytes that are no text, and a text that was cut in the middle of a character', () => {
    expect(guessEncoding([Uint8Array.of(0xff, 0xff, 0xff, 0x81)])).toBeTypeOf('string')
    const text = Buffer.from('d0c2bda8cec4bcfebcd0'.repeat(2000), 'hex')
    expect(guessEncoding([text.subarray(0, text.length - 1)])).toBe('gb18030')
    expect(guessEncoding([Buffer.concat([Buffer.from('a'), text])])).toBe('gb18030')
  })
})

it('knows the marks that spreadsheets put before their texts', () => {
  expect(markedEncoding(Uint8Array.of(0xff, 0xfe, 0x41, 0))).toBe('utf-16le')
  expect(markedEncoding(Uint8Array.of(0xfe, 0xff, 0, 0x41))).toBe('utf-16be')
  expect(markedEncoding(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe('utf-8')
  expect(markedEncoding(Uint8Array.of(0x41))).toBeNull()
})
