// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QRegularExpression>

namespace lk::test {

/// Prometheus's text format as a strict reader takes it: HELP and TYPE before a metric's samples,
/// each metric once and in one piece, each sample once, values that are numbers, a line feed at
/// the end. Returns what is wrong; fills samples by "name{labels}".
inline QByteArray problemIn(const QByteArray& text, QMap<QByteArray, double>& samples)
{
    using namespace Qt::StringLiterals;
    static const QRegularExpression sample(
        u"^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{([a-zA-Z_][a-zA-Z0-9_]*=\"(\\\\[\\\\\"n]|[^\\\\\"\\n])*\","
        u"?)+\\})? (-?[0-9]+(\\.[0-9]+)?)$"_s);
    if (!text.endsWith('\n') || text.contains('\r'))
        return "lines";
    QByteArrayList lines = text.split('\n');
    lines.removeLast();
    QByteArray described;
    QByteArray typed;
    QByteArrayList done;
    for (const QByteArray& line : lines) {
        if (line.startsWith("# HELP ")) {
            described = line.split(' ').value(2);
            if (done.contains(described))
                return "twice: " + line;
            done << described;
            continue;
        }
        if (line.startsWith("# TYPE ")) {
            const QByteArrayList words = line.split(' ');
            if (words.size() != 4 || words[2] != described || words[3] != "gauge")
                return "type: " + line;
            typed = words[2];
            continue;
        }
        const auto match = sample.match(QString::fromUtf8(line));
        if (!match.hasMatch() || match.captured(1).toLatin1() != typed || typed != described)
            return "sample: " + line;
        const QByteArray name = line.left(line.lastIndexOf(' '));
        if (samples.contains(name))
            return "sample twice: " + line;
        samples[name] = match.captured(5).toDouble();
    }
    return {};
}

} // namespace lk::test
