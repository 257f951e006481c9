// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/configedit.h"
#include "backend/libraries/families/files/tomlheader.h"

#include <QByteArrayList>

namespace lk {

// Helpers for edits of a configuration file.

/// Returns the text quoted for the file.
QByteArray quoted(const QByteArray& text);

/// The lines of a text, each with its line break.
class ConfigLines
{
public:
    explicit ConfigLines(const QByteArray& text)
    {
        for (qsizetype at = 0; at < text.size();) {
            const qsizetype end = text.indexOf('\n', at);
            m_lines << text.mid(at, end < 0 ? -1 : end + 1 - at);
            at = end < 0 ? text.size() : end + 1;
        }
        m_end = !m_lines.isEmpty() && m_lines.front().endsWith("\r\n") ? "\r\n" : "\n";
    }

    /// Appends the lines after a blank line. Returns the number of the first new line.
    int append(const QByteArrayList& lines)
    {
        if (!m_lines.isEmpty() && !m_lines.back().endsWith('\n'))
            m_lines.back() += m_end;
        if (!m_lines.isEmpty() && !m_lines.back().trimmed().isEmpty())
            m_lines << m_end;
        const int first = int(m_lines.size()) + 1;
        for (const QByteArray& line : lines)
            m_lines << line + m_end;
        return first;
    }
    void insertAfter(int line, const QByteArray& text)
    {
        if (!m_lines[line - 1].endsWith('\n'))
            m_lines[line - 1] += m_end;
        m_lines.insert(line, text + m_end);
    }
    /// Replaces the text in that region, without the end column. Columns count characters from 1.
    void replace(const toml::source_region& at, const QByteArray& by)
    {
        QString line = QString::fromUtf8(m_lines[int(at.begin.line) - 1]);
        const auto from = qsizetype(at.begin.column) - 1;
        line.replace(from, qsizetype(at.end.column) - 1 - from, QString::fromUtf8(by));
        m_lines[int(at.begin.line) - 1] = line.toUtf8();
    }
    /// Removes a line; later lines move up.
    void remove(int line) { m_lines.removeAt(line - 1); }
    QByteArray line(int number) const { return m_lines[number - 1].trimmed(); }
    QByteArray text() const { return m_lines.join(); }

private:
    QByteArrayList m_lines;
    QByteArray m_end;
};

/// Appends the block, after a blank line.
ConfigEdit appended(const QByteArray& toml, const QByteArrayList& block);
tl::unexpected<Error> notWritten(const QString& fileName);
/// The last line of a table and its values.
int lastLineOf(const toml::table& table);

} // namespace lk
