/** Where a conversation, and one of its messages, is opened. */
export function chatAddress(chatId: string, messageId?: number): string {
  const query = new URLSearchParams({ tab: 'chat', chat: chatId })
  if (messageId !== undefined) query.set('message', String(messageId))
  return `/socialHome?${query}`
}
