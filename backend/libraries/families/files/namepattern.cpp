// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/namepattern.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/valueshape.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct NamePatternText
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutFile)
};

constexpr qsizetype longestText = 65'536; // bytes; a value may be longer than a name
constexpr qsizetype shortestTime = 10;    // digits: seconds since 1970
constexpr qsizetype shortestIsoTime = 16; // "2026-11-22T02:30"
constexpr qsizetype shortestAddress = 2;  // "::"
constexpr int mostSteps = 20'000;         // per match; bounds names crafted to be slow

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool isAlnum(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isBase64(char c)
{
    return isAlnum(c) || c == '+' || c == '/' || c == '=';
}
bool isBase64Url(char c)
{
    return isAlnum(c) || c == '-' || c == '_';
}

template<typename Is> bool all(QByteArrayView text, Is is)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), is);
}

bool isTime(QByteArrayView text, TimeUnit unit)
{
    const auto value = decimalNumber(text);
    return value && timeUnitOf(*value) == unit;
}

bool isIsoTime(QByteArrayView text)
{
    return text.size() >= shortestIsoTime && text.size() < 40 && text[10] == 'T' &&
           QDateTime::fromString(QString::fromLatin1(text), Qt::ISODateWithMs).isValid();
}

bool isPickle(QByteArrayView text)
{
    const bool zlib =
        text.size() > 2 && text[0] == '\x78' && (quint8(text[0]) * 256 + quint8(text[1])) % 31 == 0;
    return text.startsWith("\x80") || text.startsWith("\x1f\x8b") || zlib;
}

QString braced(const QByteArray& inside)
{
    return QLatin1Char('{') + QString::fromUtf8(inside) + QLatin1Char('}');
}

} // namespace

void NameValues::set(const QByteArray& name, const QByteArray& value)
{
    for (auto& [known, old] : m_values) {
        if (known == name) {
            old = value;
            return;
        }
    }
    m_values.emplace_back(name, value);
}

QByteArray NameValues::value(const QByteArray& name) const
{
    for (const auto& [known, value] : m_values) {
        if (known == name)
            return value;
    }
    return {};
}

bool NameValues::contains(const QByteArray& name) const
{
    return std::any_of(m_values.begin(), m_values.end(),
                       [&](const auto& v) { return v.first == name; });
}

tl::expected<NamePattern::Part, QString> NamePattern::placeholder(const QByteArray& inside)
{
    struct Word
    {
        const char* name;
        Form form;
        TimeUnit unit = TimeUnit::Seconds;
    };
    static constexpr std::array forms{
        Word{"digits", Form::Digits},
        Word{"integer", Form::Integer},
        Word{"number", Form::Number},
        Word{"hex", Form::Hex},
        Word{"alnum", Form::Alnum},
        Word{"base64url", Form::Base64Url},
        Word{"base64", Form::Base64},
        Word{"uuid", Form::Uuid},
        Word{"seconds", Form::Time, TimeUnit::Seconds},
        Word{"milliseconds", Form::Time, TimeUnit::Milliseconds},
        Word{"microseconds", Form::Time, TimeUnit::Microseconds},
        Word{"nanoseconds", Form::Time, TimeUnit::Nanoseconds},
        Word{"isotime", Form::IsoTime},
        Word{"address", Form::Address},
        Word{"pickle", Form::Pickle},
    };
    const qsizetype colon = inside.indexOf(':');
    Part part;
    part.text = colon < 0 ? inside : inside.left(colon);
    if (!all(part.text, [](char c) { return isAlnum(c) || c == '_'; }))
        return tl::unexpected(
            NamePatternText::tr(
                "%1 is not a placeholder; write {name}, {name:digits} or, for a brace itself, {{")
                .arg(braced(inside)));
    part.form = part.text == "prefix" ? Form::Prefix : Form::Any;
    if (colon < 0)
        return part;
    const QByteArray type = inside.mid(colon + 1);
    if (type.contains('|')) {
        part.form = Form::Words;
        part.words = type.split('|');
        std::stable_sort(
            part.words.begin(), part.words.end(),
            [](const QByteArray& a, const QByteArray& b) { return a.size() < b.size(); });
        return part;
    }
    for (const Word& word : forms) {
        if (!type.startsWith(word.name))
            continue;
        const QByteArray length = type.mid(qsizetype(qstrlen(word.name)));
        if (!length.isEmpty() && !all(length, isDigit))
            continue;
        part.form = word.form;
        part.unit = word.unit;
        part.length = length.toInt();
        return part;
    }
    QStringList known;
    for (const Word& word : forms)
        known << QString::fromLatin1(word.name);
    return tl::unexpected(NamePatternText::tr("unknown type in %1; known: %2")
                              .arg(braced(inside), known.join(QStringLiteral(", "))));
}

tl::expected<NamePattern, QString> NamePattern::parse(const QByteArray& text)
{
    NamePattern pattern;
    pattern.m_text = text;
    QByteArray literal;
    const auto endLiteral = [&] {
        if (!literal.isEmpty())
            pattern.m_parts.push_back({Form::Literal, std::exchange(literal, {}), 0, 0, {}, {}, 0});
    };
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if ((c == '{' || c == '}') && text.mid(at + 1, 1) == QByteArray(1, c)) {
            literal += c;
            ++at;
        } else if (c == '{') {
            const qsizetype end = text.indexOf('}', at);
            if (end < 0)
                return tl::unexpected(
                    NamePatternText::tr("a { without its }; write {{ for the brace itself"));
            endLiteral();
            auto part = placeholder(text.mid(at + 1, end - at - 1));
            if (!part)
                return tl::unexpected(part.error());
            const auto isOpen = [](Form f) { return f == Form::Any || f == Form::Prefix; };
            if (!pattern.m_parts.empty() && isOpen(pattern.m_parts.back().form) &&
                isOpen(part->form))
                return tl::unexpected(
                    NamePatternText::tr(
                        "it is unclear where %1 ends and %2 begins; put a literal between them")
                        .arg(braced(pattern.m_parts.back().text), braced(part->text)));
            pattern.m_parts.push_back(std::move(*part));
            at = end;
        } else if (c == '}') {
            return tl::unexpected(
                NamePatternText::tr("a } without its {; write }} for the brace itself"));
        } else {
            literal += c;
        }
    }
    endLiteral();
    if (pattern.m_parts.empty())
        return tl::unexpected(NamePatternText::tr("it is empty"));
    pattern.finalize();
    return pattern;
}

void NamePattern::finalize()
{
    for (Part& part : m_parts) {
        if (part.form == Form::Literal) {
            m_shortest += part.text.size();
            if (part.text.size() > m_needle.size())
                m_needle = part.text;
            continue;
        }
        part.shortest = part.form == Form::Prefix    ? 0
                        : part.form == Form::Uuid    ? 36
                        : part.form == Form::Time    ? shortestTime
                        : part.form == Form::IsoTime ? shortestIsoTime
                        : part.form == Form::Address ? shortestAddress
                                                     : std::max<qsizetype>(1, part.length);
        m_shortest += part.shortest;
        part.slot = m_names.indexOf(part.text);
        if (part.slot < 0) {
            part.slot = m_names.size();
            m_names << part.text;
        }
    }
}

// A cheap check that rejects nearly every name, since most match no pattern.
bool NamePattern::mayMatch(QByteArrayView name) const
{
    if (name.size() < m_shortest || name.size() > longestText || m_parts.empty())
        return false;
    const Part& first = m_parts.front();
    if (first.form == Form::Literal && !name.startsWith(first.text))
        return false;
    const Part& last = m_parts.back();
    if (last.form == Form::Literal && !name.endsWith(last.text))
        return false;
    return m_needle.isEmpty() || name.indexOf(m_needle) >= 0;
}

bool NamePattern::fits(const Part& part, QByteArrayView text)
{
    if (part.length > 0 && text.size() != part.length)
        return false;
    switch (part.form) {
    case Form::Literal:
        return text == part.text;
    case Form::Prefix:
        return text.isEmpty() || !isAlnum(text.back());
    case Form::Any:
        return !text.isEmpty();
    case Form::Digits:
        return all(text, isDigit);
    case Form::Integer:
        return all(text.startsWith('-') ? text.sliced(1) : text, isDigit);
    case Form::Number:
        return decimalNumber(text).has_value();
    case Form::Hex:
        return all(text, isHexDigit);
    case Form::Alnum:
        return all(text, isAlnum);
    case Form::Base64:
        return all(text, isBase64);
    case Form::Base64Url:
        return all(text, isBase64Url);
    case Form::Uuid:
        return isUuid(text);
    case Form::Time:
        return isTime(text, part.unit);
    case Form::IsoTime:
        return isIsoTime(text);
    case Form::Address:
        return isNetworkAddress(text);
    case Form::Pickle:
        return isPickle(text);
    case Form::Words:
        return std::any_of(part.words.begin(), part.words.end(),
                           [&](const QByteArray& w) { return text == w; });
    }
    return false;
}

struct NamePattern::Attempt
{
    QByteArrayView name;
    std::vector<QByteArrayView>& taken;
    int steps = 0;
};

bool NamePattern::matchFrom(Attempt& attempt, size_t index, qsizetype at) const
{
    if (index == m_parts.size())
        return at == attempt.name.size();
    const Part& part = m_parts[index];
    const QByteArrayView rest = attempt.name.sliced(at);
    if (part.form == Form::Literal)
        return rest.startsWith(part.text) && matchFrom(attempt, index + 1, at + part.text.size());
    const auto take = [&](qsizetype length) {
        const QByteArrayView text = rest.first(length);
        QByteArrayView& slot = attempt.taken[size_t(part.slot)];
        if (!fits(part, text) || (!slot.isNull() && slot != text))
            return false;
        const QByteArrayView before = std::exchange(slot, text);
        if (matchFrom(attempt, index + 1, at + length))
            return true;
        slot = before;
        return false;
    };
    if (part.form == Form::Words && part.length == 0) {
        return std::any_of(part.words.begin(), part.words.end(), [&](const QByteArray& word) {
            return ++attempt.steps <= mostSteps && rest.startsWith(word) && take(word.size());
        });
    }
    const bool isLast = index + 1 == m_parts.size();
    if (isLast)
        return take(rest.size());
    const Part& next = m_parts[index + 1];
    for (qsizetype length = part.shortest; length <= rest.size(); ++length) {
        if (next.form == Form::Literal) {
            length = rest.indexOf(next.text, length);
            if (length < 0)
                return false;
        }
        if (++attempt.steps > mostSteps)
            return false;
        if (take(length))
            return true;
    }
    return false;
}

bool NamePattern::fits(QByteArrayView name, std::vector<QByteArrayView>& taken) const
{
    taken.assign(size_t(m_names.size()), QByteArrayView());
    Attempt attempt{name, taken};
    return matchFrom(attempt, 0, 0);
}

bool NamePattern::matches(QByteArrayView name) const
{
    if (!mayMatch(name))
        return false;
    if (m_parts.size() == 1)
        return fits(m_parts.front(), name);
    std::vector<QByteArrayView> taken;
    return fits(name, taken);
}

std::optional<NameValues> NamePattern::match(QByteArrayView name) const
{
    std::vector<QByteArrayView> taken;
    if (!mayMatch(name) || !fits(name, taken))
        return std::nullopt;
    NameValues values;
    for (size_t i = 0; i < taken.size(); ++i)
        values.set(m_names[qsizetype(i)], taken[i].toByteArray());
    return values;
}

std::optional<QByteArray> NamePattern::fill(const NameValues& values) const
{
    QByteArray name;
    for (const Part& part : m_parts) {
        if (part.form == Form::Literal) {
            name += part.text;
        } else {
            if (!values.contains(part.text))
                return std::nullopt;
            name += values.value(part.text);
        }
    }
    return name;
}

} // namespace lk
