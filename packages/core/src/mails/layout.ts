// Made by `npm run docs` from layout.mjml.

/** The layout of mails, with its places in braces. */
export const LAYOUT = `<!doctype html>
<html lang="{{locale}}" dir="ltr" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>{{subject}}</title>
<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none;-ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript>
<xml>
<o:OfficeDocumentSettings>
<o:AllowPNG/>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings>
</xml>
</noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">
.mj-outlook-group-fix { width:100% !important; }
</style>
<![endif]-->
<style type="text/css">
@media only screen and (min-width:480px) {
.mj-column-per-100 { width:100% !important; max-width: 100%; }
}
</style>
<style media="screen and (min-width:480px)">
.moz-text-html .mj-column-per-100 { width:100% !important; max-width: 100%; }
</style>
<style type="text/css">
:root { color-scheme: light dark; supported-color-schemes: light dark }
.button a { border: 1px solid rgba(128, 128, 128, .35) }
@media (max-width: 480px) {
.row td { display: block; padding: 0 0 12px !important; text-align: left !important }
.row td.soft { border: 0 !important; padding: 12px 0 0 !important }
}
@media (prefers-color-scheme: dark) {
.ground, .ground div { background-color: #181b21 !important }
.ink div, .ink td, .ink a, .ink table { color: #eef1f5 !important }
.soft div, .ink .soft { color: #a9b3c1 !important }
.ink td, .line p { border-color: #323845 !important }
}
</style>
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<!--[if mso]><style>td, div, h1, a { font-family: Arial, sans-serif !important }</style><![endif]-->
</head>
<body class="ground" style="word-spacing:normal;background-color:#ffffff;">
<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">{{preheader}}</div>
<div
aria-label="{{subject}}" aria-roledescription="email" role="article" lang="{{locale}}" dir="ltr" style="word-spacing:normal;background-color:#ffffff;"
>
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:560px;" width="560" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div style="margin:0px auto;max-width:560px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"
>
<tbody>
<tr>
<td
style="direction:ltr;font-size:0px;padding:40px 24px 48px;text-align:left;"
>
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:512px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%"
>
<tbody>
<tr>
<td style="vertical-align:top;padding:0;">
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%"
>
<tbody>
{{#logo}}
<tr>
<td
align="left" class="ink" style="font-size:0px;padding:0;padding-bottom:32px;word-break:break-word;"
>
<div
style="font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:18px;font-weight:600;line-height:26px;text-align:left;color:#14171c;"
><img src="{{url}}" alt="{{project}}" height="40" style="display:block;height:40px;width:auto;max-width:240px;object-fit:contain;object-position:left"></div>
</td>
</tr>
{{/logo}}{{#name}}
<tr>
<td
align="left" class="ink" style="font-size:0px;padding:0;padding-bottom:32px;word-break:break-word;"
>
<div
style="font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:18px;font-weight:600;line-height:26px;text-align:left;color:#14171c;"
>{{project}}</div>
</td>
</tr>
{{/name}}
<tr>
<td
align="left" class="ink" style="font-size:0px;padding:0;padding-bottom:16px;word-break:break-word;"
>
<div
style="font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;line-height:26px;text-align:left;color:#14171c;"
><h1 style="margin:0;font-size:24px;line-height:32px;font-weight:600">{{heading}}</h1></div>
</td>
</tr>
{{#paragraphs}}
<tr>
<td
align="left" class="ink" style="font-size:0px;padding:0;padding-bottom:16px;word-break:break-word;"
>
<div
style="font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;line-height:26px;text-align:left;color:#14171c;"
>{{paragraph}}</div>
</td>
</tr>
{{/paragraphs}}{{#table}}
<tr>
<td
align="left" class="ink row" style="font-size:0px;padding:8px 0 16px;word-break:break-word;"
>
<table
cellpadding="0" cellspacing="0" width="100%" border="0" style="color:#14171c;font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:15px;line-height:24px;table-layout:auto;width:100%;border:none;"
>
{{#rows}}<tr>
<td class="soft" valign="top" style="border-bottom:1px solid #dfe3e8;padding:10px 16px 10px 0;color:#55606e;white-space:nowrap">{{label}}</td>
<td valign="top" align="right" style="border-bottom:1px solid #dfe3e8;padding:10px 0">{{#text}}{{value}}{{/text}}{{#link}}<a href="{{url}}" style="color:#14171c;text-decoration:underline">{{value}}</a>{{/link}}</td>
</tr>{{/rows}}
</table>
</td>
</tr>
{{/table}}
<tr>
<td
align="left" class="button" style="font-size:0px;padding:16px 0 40px;word-break:break-word;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;"
>
<tbody>
<tr>
<td
align="center" bgcolor="{{accent}}" role="presentation" style="border:none;border-radius:8px;cursor:auto;mso-padding-alt:13px 24px;background:{{accent}};" valign="middle"
>
<a
href="{{link}}" style="display:inline-block;background:{{accent}};color:{{ink}};font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;font-weight:600;line-height:120%;margin:0;text-decoration:none;text-transform:none;padding:13px 24px;mso-padding-alt:0px;border-radius:8px;" target="_blank"
>
{{action}}
</a>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
<tr>
<td
align="center" class="line" style="font-size:0px;padding:0;word-break:break-word;"
>
<p
style="border-top:solid 1px #dfe3e8;font-size:1px;margin:0px auto;width:100%;"
>
</p>
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" style="border-top:solid 1px #dfe3e8;font-size:1px;margin:0px auto;width:512px;" role="presentation" width="512px" ><tr><td style="height:0;line-height:0;"> &nbsp;
</td></tr></table><![endif]-->
</td>
</tr>
{{#footer}}
<tr>
<td
align="left" class="soft" style="font-size:0px;padding:0;padding-top:16px;word-break:break-word;"
>
<div
style="font-family:-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:13px;line-height:20px;text-align:left;color:#55606e;"
>{{line}}</div>
</td>
</tr>
{{/footer}}
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</div>
</body>
</html>`;
