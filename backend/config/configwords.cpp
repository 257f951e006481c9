// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/configwords.h"

#include <algorithm>

namespace lk {

namespace {

// The keys that every primitive of a kind may have.
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
                 << QStringLiteral("redlock") << QStringLiteral("check") << QStringLiteral("alert")
                 << QStringLiteral("alerts") << QStringLiteral("quiet") << QStringLiteral("notify")
                 << QStringLiteral("recording");
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

} // namespace lk
