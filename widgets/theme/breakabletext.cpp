// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/breakabletext.h"

namespace lk {

namespace {

constexpr int partLength = 24; // characters

QString broken(QStringView run)
{
    QString parts;
    parts.reserve(run.size() + run.size() / partLength + 1);
    int length = 0;
    for (const QChar c : run) {
        if (++length > partLength && !c.isLowSurrogate() && !c.isMark()) {
            parts += QChar(0x200B);
            length = 1;
        }
        parts += c;
    }
    return parts;
}

} // namespace

QString breakable(const QString& text, int longestRun)
{
    QString result;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        if (i < text.size() && !text[i].isSpace())
            continue;
        const QStringView run = QStringView(text).sliced(start, i - start);
        result += run.size() > longestRun ? broken(run) : run.toString();
        if (i < text.size())
            result += text[i];
        start = i + 1;
    }
    return result;
}

} // namespace lk
