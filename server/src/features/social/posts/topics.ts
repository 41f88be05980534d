import { social as limits } from '@neuroloom/contract/limits'

/** Not within a word or an address: `a#b` names none. */
const TOPIC = /(?<![\p{L}\p{M}\p{N}_#&/])#([\p{L}\p{M}\p{N}_]+)/gu

/** Words after #, lower case, each once, in the order of the text; too long ones are none, and the first few count. */
export function topicsOf(text: string): string[] {
  const topics = [...text.matchAll(TOPIC)].map(([, topic = '']) => topicKey(topic))
  return [...new Set(topics)].filter((topic) => topic.length <= limits.topicLength).slice(0, limits.topics)
}

/** One spelling, however it was typed. */
export const topicKey = (topic: string): string => topic.normalize('NFC').replace(/^#/, '').toLowerCase()
