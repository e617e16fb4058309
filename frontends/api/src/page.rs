//! Pages and pictures that a front end writes: text for HTML and SVG, and templates with places to fill.

/// Text for HTML and SVG, in elements and in attributes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON for a script in a page: a script ends at the first `</script`, also within a string.
pub fn script_data(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The template with each `{{name}}` replaced by the part of that name, or by nothing when there is none. It is one pass: what is
/// filled in is not looked at again.
pub fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page += before;
        page += parts.iter().find(|(part, _)| *part == name).map_or("", |(_, part)| part);
        rest = after;
    }
    page + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_stays_as_it_is() {
        assert_eq!(fill("<{{a}}|{{b}}|{{none}}>", &[("a", "{{b}}"), ("b", "2")]), "<{{b}}|2|>");
        assert_eq!(escaped("<a href=\"&\">"), "&lt;a href=&quot;&amp;&quot;&gt;");
        assert_eq!(script_data("[\"</script>\"]"), "[\"\\u003c/script>\"]");
    }
}
