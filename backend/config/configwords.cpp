// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/configwords.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

// What may be declared of any primitive of a kind.
std::vector<ConfigField> kindFields(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return {{"limit", FieldShape::Count, &Declaration::limit},
                {"window", FieldShape::Duration, &Declaration::windowMs}};
    case Kind::Token:
        return {{"max_ttl", FieldShape::Duration, &Declaration::maxTtlMs}};
    case Kind::Lock:
    case Kind::Queue:
    case Kind::Pattern:
        break;
    }
    return {};
}

std::optional<ConfigField> fieldNamed(const std::vector<ConfigField>& fields, std::string_view name)
{
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const ConfigField& f) {
        return name == std::string_view(f.name.constData(), size_t(f.name.size()));
    });
    return field == fields.end() ? std::nullopt : std::optional(*field);
}

constexpr std::array tableKinds{Kind::Limiter, Kind::Queue, Kind::Lock, Kind::Token, Kind::Pattern};

// Edits that turn one word into the other.
qsizetype distance(const QString& a, const QString& b)
{
    std::vector<qsizetype> row(size_t(b.size()) + 1);
    for (size_t j = 0; j < row.size(); ++j)
        row[j] = qsizetype(j);
    for (qsizetype i = 0; i < a.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (qsizetype j = 0; j < b.size(); ++j) {
            const qsizetype replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[size_t(j) + 1];
            row[size_t(j) + 1] = std::min({replaced, diagonal + 1, row[size_t(j)] + 1});
        }
    }
    return row.back();
}

} // namespace

std::optional<ConfigField> findConfigField(const Layout& layout, std::string_view name)
{
    const auto own = fieldNamed(layout.configFields(), name);
    return own ? own : fieldNamed(kindFields(layout.kind()), name);
}

QStringList layoutsWithField(Kind kind, std::string_view name)
{
    QStringList names;
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() == kind && findConfigField(*layout, name))
            names << QString::fromLatin1(layout->id());
    }
    return names;
}

std::optional<Kind> configTableKind(std::string_view name)
{
    for (const Kind kind : tableKinds) {
        if (name == kindId(kind).constData())
            return kind;
    }
    return std::nullopt;
}

QStringList configTableNames()
{
    QStringList names;
    for (const Kind kind : tableKinds)
        names << QString::fromLatin1(kindId(kind));
    return names << QStringLiteral("ignore") << QStringLiteral("silence")
                 << QStringLiteral("check");
}

QStringList configFieldNames(Kind kind)
{
    QStringList names{QStringLiteral("key"), QStringLiteral("layout")};
    const auto add = [&names](const std::vector<ConfigField>& fields) {
        for (const ConfigField& field : fields) {
            const QString name = QString::fromLatin1(field.name);
            if (!names.contains(name))
                names << name;
        }
    };
    add(kindFields(kind));
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() == kind)
            add(layout->configFields());
    }
    return names;
}

QStringList layoutNames(Kind kind)
{
    QStringList names;
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() == kind)
            names << QString::fromLatin1(layout->id());
    }
    return names;
}

QString quotedWord(std::string_view word)
{
    return QLatin1Char('"') + QString::fromUtf8(word.data(), qsizetype(word.size())) +
           QLatin1Char('"');
}

QString proposal(std::string_view given, const QStringList& right)
{
    const QString word = QString::fromUtf8(given.data(), qsizetype(given.size())).left(64);
    const auto nearest = std::min_element(right.begin(), right.end(), [&](auto& a, auto& b) {
        return distance(word, a) < distance(word, b);
    });
    const QString all = right.join(QStringLiteral(", "));
    if (nearest != right.end() &&
        distance(word, *nearest) <= std::max<qsizetype>(2, word.size() / 3))
        return Text::tr("did you mean \"%1\"? Known: %2").arg(*nearest, all);
    return Text::tr("known: %1").arg(all);
}

} // namespace lk
