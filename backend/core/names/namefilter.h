// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

/// A filter that the user types to narrow a list. It matches names that contain the text. With * ?
/// or [ ] it also matches whole names as a glob ("code:*"). Ignores the case of the letters a to z.
class NameFilter
{
public:
    NameFilter() = default;
    /// Bytes are typed as they are shown: \xNN.
    explicit NameFilter(const QString& typed);

    bool isEmpty() const { return m_bytes.isEmpty(); }
    const QByteArray& typed() const { return m_bytes; } ///< in lower case
    bool fits(const QByteArray& name) const;            ///< true if the filter is empty
    bool fits(const QString& text) const; ///< for prose: matches only by containing the text

private:
    QString m_text;
    QByteArray m_bytes;
    bool m_glob = false;
};

} // namespace lk
