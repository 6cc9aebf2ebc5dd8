export const NOUNS: readonly string[] = toWords(`
  time year people way day man thing woman life child world school state family student group country problem hand
  part place case week company system program question work government number night point home water room mother area
  money story fact month lot right study book eye job word business issue side kind head house service friend father
  power hour game line end member law car city community name president team minute idea body information back parent
  face others level office door health person art war history party result change morning reason research girl guy
  moment air teacher force education foot boy age policy music market sense nation plan college interest death
  experience effect use class control field development role effort rate heart drug show leader light voice wife
  police mind price report decision son view relation road difference value building action season society tax
  director position player record paper space ground form event official matter center couple site project activity
  star table need court oil situation cost industry figure street image phone data picture practice piece land product
  doctor wall patient worker news test movie north love support technology step baby computer type attention film tree
  source hair look window culture chance brother energy period course summer plant opportunity term letter condition
  choice rule daughter south husband floor campaign material population call economy hospital church risk fire future
  bank west sport board subject officer deal fight goal bed order author blood agency nature color store sound
  movement page race concern series language response animal factor decade article east artist scene stock career
  treatment approach size dog fund media sign thought list individual quality pressure answer resource meeting disease
  success cup amount ability staff character growth loss degree attack region television box training trade election
  feeling standard bill message analysis benefit sex lawyer section glass skill sister professor operation crime stage
  compare design sort knowledge gun station strategy truth song example environment leg dark rock garden river bridge
  harbour engine wheel copper silver window lantern kettle ladder basket carpet mirror pillow bottle candle hammer
  needle thread button pocket ribbon saddle shovel tunnel valley meadow forest desert island canyon glacier prairie
  lagoon harvest orchard vineyard granite marble timber cotton velvet leather saffron pepper ginger cinnamon walnut
  almond cherry apricot melon barley wheat clover willow maple cedar birch falcon heron otter badger salmon trout
  beetle cricket sparrow
`);

export const VERBS: readonly string[] = toWords(`
  shows keeps finds builds carries follows measures returns explains compares collects changes describes improves
  limits opens prints reads repeats sends stores tests turns visits watches writes
`);

export const ADJECTIVES: readonly string[] = toWords(`
  small large early late public local quiet bright simple common recent former careful steady narrow broad plain
  modern ancient gentle heavy light warm cold direct open general practical
`);

export const ARTICLES: readonly string[] = toWords(`
  the a this that each every one another our their its some
`);

export const SECTIONS: readonly string[] = toWords(`
  news world politics business markets technology science health sport culture books film music travel food style
  homes garden motors money jobs education history opinion letters weather maps guides reviews products docs reference
  api forum questions people places archive events gallery
`);

function toWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
