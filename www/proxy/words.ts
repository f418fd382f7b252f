/** What the proxy itself says in an answer, in the languages that the widget speaks. */

interface Words {
  /** Before quotes. */
  quoting: string
  /** Before quotes that stand in for a model's answer. */
  instead: string
}

const WORDS: Record<string, Words> = {
  en: {
    quoting: 'From this site:',
    instead: 'The assistant cannot answer right now. From this site, word for word:',
  },
  de: {
    quoting: 'Von dieser Website:',
    instead: 'Der Assistent kann gerade nicht antworten. Von dieser Website, Wort für Wort:',
  },
  fr: {
    quoting: 'Sur ce site :',
    instead: 'L’assistant ne peut pas répondre pour le moment. Sur ce site, mot pour mot :',
  },
  es: {
    quoting: 'En este sitio:',
    instead: 'El asistente no puede responder en este momento. En este sitio, palabra por palabra:',
  },
  ja: {
    quoting: 'このサイトより:',
    instead: 'ただいまアシスタントは回答できません。このサイトの記載をそのまま引用します:',
  },
  ar: {
    quoting: 'من هذا الموقع:',
    instead: 'لا يستطيع المساعد الإجابة الآن. من هذا الموقع حرفيًّا:',
  },
}

/** The words of a language code such as `de` or `de-AT`; English where there are none. */
export function wordsOf(language: string): Words {
  return WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? (WORDS.en as Words)
}
