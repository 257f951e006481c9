// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/configlines.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct ConfigLinesText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

} // namespace

QByteArray quoted(const QByteArray& text)
{
    QByteArray out = "\"";
    for (const char c : text) {
        const auto byte = uchar(c);
        if (c == '"' || c == '\\')
            out += QByteArray("\\") + c;
        else if (byte < 0x20 || byte == 0x7f)
            out += "\\u" + QByteArray::number(byte, 16).rightJustified(4, '0');
        else
            out += c;
    }
    return out + '"';
}

ConfigEdit appended(const QByteArray& toml, const QByteArrayList& block)
{
    ConfigLines lines(toml);
    const int first = lines.append(block);
    return {lines.text(), block.join('\n'), first, first + int(block.size()) - 1};
}

tl::unexpected<Error> notWritten(const QString& fileName)
{
    return failure(
        ErrorCode::BadConfig,
        ConfigLinesText::tr("%1: cannot be edited without changing something else; add it by hand")
            .arg(fileName));
}

int lastLineOf(const toml::table& table)
{
    toml::source_index last = table.source().begin.line;
    for (const auto& [name, node] : table)
        last = std::max(last, node.source().end.line);
    return int(last);
}

} // namespace lk
