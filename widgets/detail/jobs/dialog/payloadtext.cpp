// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/dialog/payloadtext.h"

#include "backend/core/names/keyname.h"

#include <QJsonDocument>
#include <QStringList>

namespace lk {

namespace {

constexpr int indent = 2;
constexpr int deepest = 64; // deeper levels stand no further to the right

void newLine(QByteArray& out, int depth)
{
    out += '\n';
    out += QByteArray(qMin(depth, deepest) * indent, ' ');
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The next character that is no white space; 0 at the end.
char nextSign(const QByteArray& json, qsizetype from)
{
    while (from < json.size() && isSpace(json[from]))
        ++from;
    return from < json.size() ? json[from] : '\0';
}

} // namespace

// By its own signs: read and written again, 64-bit numbers would come out rounded.
QByteArray indentedJson(const QByteArray& payload)
{
    if (QJsonDocument::fromJson(payload).isNull())
        return {};
    QByteArray out;
    int depth = 0;
    bool inText = false;
    for (qsizetype i = 0; i < payload.size(); ++i) {
        const char c = payload[i];
        if (inText) {
            out += c;
            if (c == '\\' && i + 1 < payload.size())
                out += payload[++i];
            else if (c == '"')
                inText = false;
            continue;
        }
        if (isSpace(c))
            continue;
        if (c == '}' || c == ']')
            newLine(out, --depth);
        out += c;
        if (c == '"') {
            inText = true;
        } else if (c == ':') {
            out += ' ';
        } else if (c == ',') {
            newLine(out, depth);
        } else if (c == '{' || c == '[') {
            const char close = c == '{' ? '}' : ']';
            if (nextSign(payload, i + 1) == close) {
                while (payload[++i] != close)
                    ;
                out += close;
            } else {
                newLine(out, ++depth);
            }
        }
    }
    return out;
}

QString payloadLines(const QByteArray& payload)
{
    QStringList lines;
    for (const QByteArray& line : payload.split('\n'))
        lines << displayName(line);
    return lines.join(QLatin1Char('\n'));
}

} // namespace lk
