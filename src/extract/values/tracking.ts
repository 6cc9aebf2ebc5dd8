/**
 * Query parameters that say where a visitor came from or who they are, and never which page they see. Lower case;
 * words such as `ref`, `source` or `trk`, with which some sites choose content, are not among them.
 */
const TRACKING: ReadonlySet<string> = new Set(
  [
    // Click identifiers of advertisers.
    'gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid fbclid msclkid yclid ysclid ymclid twclid ttclid',
    'li_fat_id igshid igsh epik rdt_cid zanpid irclickid wickedid rb_clickid sccid qclid tblci obclid spm _openstat',
    // Mail and marketing suites.
    'mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_anon_id oly_enc_id',
    'bsft_clkid bsft_eid _branch_match_id _ke dm_i ml_subscriber ml_subscriber_hash s_kwcid ef_id',
    // What social networks and shops add to links on their own pages.
    '__tn__ __xts__ __eep__ notif_id notif_t ref_notif_type pd_rd_i pd_rd_r pd_rd_w pd_rd_wg pd_rd_plhdr',
    // Where on the site a link stood, and the form that a comment is answered with.
    'iref cm_sp _trksid _trkparms ref_ ref_src ref_url replytocom',
    // Analytics and sessions.
    '_ga _gl _gac phpsessid jsessionid cfid cftoken',
  ].flatMap((line) => line.split(' ')),
);

const TRACKING_FAMILY =
  /^(?:utm_|__cft__|pf_rd_|mtm_|matomo_|hsa_|aspsessionid|(?:pk|piwik|itm)_(?:source|medium|campaign|content|term|kwd|keyword|cid)$)/;

/** Whether a query parameter leaves the page as it is; the name as it is written in the URL. */
export function isTracking(name: string): boolean {
  const known = name.toLowerCase();
  return TRACKING.has(known) || TRACKING_FAMILY.test(known);
}
