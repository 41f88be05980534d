/** Parts of public pages that are made from what the contract lists, each with the locale files that it speaks from. */
export const drawnTexts = {
  tasks: ['tasks'],
  networks: ['networks', 'tasks'],
  drawnTasks: ['tasks'],
  formats: [],
} as const
export type DrawnName = keyof typeof drawnTexts
