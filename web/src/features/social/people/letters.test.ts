import { describe, expect, it } from 'vitest'
import { groupByLetter, letterOf } from './letters.ts'

describe('the letter of a name', () => {
  it.each([
    ['anna', 'A'],
    ['Élodie', 'E'],
    ['  Øystein', '#'],
    ['Ёлкина', 'Е'],
    ['Йорданов', 'Й'],
    ['王伟', 'W'],
    ['刘洋', 'L'],
    ['马丽', 'M'],
    ['赵敏', 'Z'],
    ['曾志伟', 'Z'],
    ['7 Tesla', '#'],
    ['😀', '#'],
    ['', '#'],
  ])('of "%s" is %s', (name, letter) => {
    expect(letterOf(name)).toBe(letter)
  })
})

describe('the groups of an address book', () => {
  const friends = ['Борис', 'anna', '王伟', 'Wei', '42', 'Adam', 'Анна'].map((nickName) => ({ nickName }))
  const shown = (isRussian: boolean) =>
    groupByLetter(friends, isRussian).map(({ letter, members }) => [
      letter,
      ...members.map(({ nickName }) => nickName),
    ])

  it('hold names in the order of the alphabet, what begins with no letter last', () => {
    expect(shown(false)).toEqual([
      ['A', 'Adam', 'anna'],
      ['W', 'Wei', '王伟'],
      ['А', 'Анна'],
      ['Б', 'Борис'],
      ['#', '42'],
    ])
  })

  it('begin with Cyrillic letters in Russian', () => {
    expect(shown(true).map(([letter]) => letter)).toEqual(['А', 'Б', 'A', 'W', '#'])
  })
})
