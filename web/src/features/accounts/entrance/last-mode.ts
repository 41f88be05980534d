/** Whether people signed in at this browser by phone or by e-mail the last time; never by which one. */
export type Mode = 'phone' | 'email'

const KEY = 'signInBy'

export const lastMode = (): Mode => (localStorage.getItem(KEY) === 'email' ? 'email' : 'phone')

export const keepMode = (mode: Mode): void => localStorage.setItem(KEY, mode)
