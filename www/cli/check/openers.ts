/** What visitors type before they ask anything, by language; the first is the one that the checks name. */
const OPENERS: Record<string, string[]> = {
  en: ['hi, I need some help', 'hello', 'I have a question', 'can you help me?'],
  de: ['hallo, ich brauche Hilfe', 'guten Tag', 'ich habe eine Frage', 'können Sie mir helfen?'],
  fr: ["bonjour, j'ai besoin d'aide", 'bonjour', "j'ai une question", 'pouvez-vous m’aider ?'],
  es: ['hola, necesito ayuda', 'buenos días', 'tengo una pregunta', '¿me puede ayudar?'],
  it: ['ciao, ho bisogno di aiuto', 'buongiorno', 'ho una domanda', 'mi può aiutare?'],
  pt: ['olá, preciso de ajuda', 'bom dia', 'tenho uma pergunta', 'pode me ajudar?'],
  nl: ['hallo, ik heb hulp nodig', 'goedendag', 'ik heb een vraag', 'kunt u mij helpen?'],
  sv: ['hej, jag behöver hjälp', 'hej', 'jag har en fråga', 'kan ni hjälpa mig?'],
  da: ['hej, jeg har brug for hjælp', 'hej', 'jeg har et spørgsmål', 'kan I hjælpe mig?'],
  nb: ['hei, jeg trenger hjelp', 'hei', 'jeg har et spørsmål', 'kan dere hjelpe meg?'],
  fi: ['hei, tarvitsen apua', 'hei', 'minulla on kysymys', 'voitteko auttaa?'],
  pl: ['cześć, potrzebuję pomocy', 'dzień dobry', 'mam pytanie', 'czy może mi pan pomóc?'],
  cs: ['dobrý den, potřebuji pomoc', 'ahoj', 'mám otázku', 'můžete mi pomoci?'],
  tr: ['merhaba, yardıma ihtiyacım var', 'merhaba', 'bir sorum var', 'yardım eder misiniz?'],
  ru: ['здравствуйте, мне нужна помощь', 'привет', 'у меня вопрос', 'вы можете помочь?'],
  ja: ['こんにちは、助けてください', 'こんにちは', '質問があります', '教えてください'],
  zh: ['你好，我需要帮助', '你好', '我有个问题', '可以帮我吗？'],
  ko: ['안녕하세요, 도움이 필요해요', '안녕하세요', '질문이 있어요', '도와주실 수 있나요?'],
  ar: ['مرحبا، أحتاج إلى مساعدة', 'السلام عليكم', 'لدي سؤال', 'هل يمكنك مساعدتي؟'],
  he: ['שלום, אני צריך עזרה', 'שלום', 'יש לי שאלה', 'אפשר לעזור לי?'],
  hi: ['नमस्ते, मुझे मदद चाहिए', 'नमस्ते', 'मेरा एक सवाल है', 'क्या आप मेरी मदद कर सकते हैं?'],
}

/** Openers of a language, by its first subtag; English ones for a language without a list. */
export function openersOf(language: string): string[] {
  const [primary = ''] = language.toLowerCase().split('-')
  return OPENERS[primary === 'no' ? 'nb' : primary] ?? (OPENERS.en as string[])
}
