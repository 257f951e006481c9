// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/tomlfields.h"

#include "backend/text/proposal.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTime>

namespace lk {

namespace {

struct TomlFieldsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

} // namespace

TomlFields::TomlFields(const toml::table& table, const QStringList& known)
    : m_table(table)
{
    for (const auto& [name, value] : table) {
        const std::string_view given = name;
        if (m_refusal || known.contains(QString::fromUtf8(given.data(), qsizetype(given.size()))))
            continue;
        m_refusal =
            ConfigRefusal{name.source(), TomlFieldsText::tr("unknown key %1; %2")
                                             .arg(quotedWord(given), proposal(given, known))};
    }
}

toml::source_region TomlFields::at(const char* name) const
{
    const toml::node* node = m_table.get(name);
    return node ? node->source() : m_table.source();
}

void TomlFields::refuse(const char* name, const QString& what)
{
    if (!m_refusal)
        m_refusal = ConfigRefusal{at(name), what};
}

void TomlFields::require(const char* name, const QString& example)
{
    if (!has(name))
        refuse(name, TomlFieldsText::tr("%1 is missing; write %2").arg(quotedWord(name), example));
}

QByteArray TomlFields::text(const char* name)
{
    const toml::node* node = m_table.get(name);
    if (!node)
        return {};
    const auto* text = node->as_string();
    if (!text || text->get().empty())
        refuse(name, TomlFieldsText::tr("%1 must be a string in quotes").arg(quotedWord(name)));
    return text ? QByteArray::fromStdString(text->get()) : QByteArray();
}

qint64 TomlFields::durationMs(const char* name, qint64 otherwise)
{
    const toml::node* node = m_table.get(name);
    if (!node)
        return otherwise;
    const auto* text = node->as_string();
    const Result<qint64> ms = parseDuration(text ? QString::fromStdString(text->get()) : QString());
    if (!text)
        refuse(name, TomlFieldsText::tr(
                         "%1 must be a duration in quotes, such as \"10s\", \"10m\", \"24h\" "
                         "or \"30d\"")
                         .arg(quotedWord(name)));
    else if (!ms)
        refuse(name, QLatin1String(name) + QStringLiteral(": ") + ms.error().detail);
    return ms.value_or(otherwise);
}

qint64 TomlFields::bytes(const char* name, qint64 otherwise)
{
    static const QRegularExpression written(QStringLiteral("^([1-9][0-9]{0,11}) ?([MGT])B$"),
                                            QRegularExpression::CaseInsensitiveOption);
    const toml::node* node = m_table.get(name);
    if (!node)
        return otherwise;
    const auto* text = node->as_string();
    const QRegularExpressionMatch match =
        written.match(text ? QString::fromStdString(text->get()) : QString());
    if (!match.hasMatch()) {
        refuse(name, TomlFieldsText::tr("%1 must be a size in quotes, such as \"500MB\" or \"2GB\"")
                         .arg(quotedWord(name)));
        return otherwise;
    }
    const QChar unit = match.captured(2).at(0).toUpper();
    const int shift = unit == QLatin1Char('M') ? 20 : unit == QLatin1Char('G') ? 30 : 40;
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    const qint64 number = match.captured(1).toLongLong();
    return number > (most >> shift) ? most : number << shift;
}

std::optional<double> TomlFields::number(const char* name)
{
    const toml::node* node = m_table.get(name);
    if (!node)
        return std::nullopt;
    const std::optional<double> value = node->value<double>();
    if (!node->is_number() || !value)
        refuse(name, TomlFieldsText::tr("%1 must be a number, such as 800").arg(quotedWord(name)));
    return value;
}

bool TomlFields::flag(const char* name, bool otherwise)
{
    const toml::node* node = m_table.get(name);
    if (!node)
        return otherwise;
    const auto* value = node->as_boolean();
    if (!value)
        refuse(name, TomlFieldsText::tr("%1 must be true or false").arg(quotedWord(name)));
    return value ? value->get() : otherwise;
}

QByteArrayList TomlFields::texts(const char* name)
{
    const toml::node* node = m_table.get(name);
    if (!node)
        return {};
    const toml::array* array = node->as_array();
    if (!array || (!array->empty() && !array->is_homogeneous(toml::node_type::string))) {
        refuse(name, TomlFieldsText::tr("%1 must be a list of strings, such as [\"desktop\"]")
                         .arg(quotedWord(name)));
        return {};
    }
    QByteArrayList texts;
    for (const toml::node& entry : *array)
        texts << QByteArray::fromStdString(entry.as_string()->get());
    return texts;
}

int TomlFields::word(const char* name, const QStringList& words)
{
    if (!has(name))
        return -1;
    const QByteArray given = text(name);
    const auto place = words.indexOf(QString::fromUtf8(given));
    if (place < 0)
        refuse(name, TomlFieldsText::tr("%1 is one of: %2")
                         .arg(quotedWord(name), words.join(QStringLiteral(", "))));
    return int(place);
}

int TomlFields::minuteOfDay(const char* name)
{
    if (!has(name))
        return -1;
    const QTime time = QTime::fromString(QString::fromUtf8(text(name)), QStringLiteral("HH:mm"));
    if (!time.isValid())
        refuse(name, TomlFieldsText::tr("%1 must be a time of day in quotes, such as \"22:00\"")
                         .arg(quotedWord(name)));
    return time.isValid() ? time.hour() * 60 + time.minute() : 0;
}

TomlTables tomlTables(const toml::node& node, const char* name)
{
    const toml::array* array = node.as_array();
    if (array && array->is_homogeneous(toml::node_type::table))
        return array;
    return tl::unexpected(
        ConfigRefusal{node.source(), TomlFieldsText::tr("%1 is written as [[%2]], once for each")
                                         .arg(quotedWord(name), QLatin1String(name))});
}

} // namespace lk
