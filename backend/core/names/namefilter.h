// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk {

/// What a person types to narrow a list. It fits what contains it; with * ? or [ ] in it, also what
/// is as a whole of that pattern ("code:*"). The case of letters a to z does not matter.
class NameFilter
{
public:
    NameFilter() = default;
    /// Bytes are typed as they are shown: \xNN.
    explicit NameFilter(const QString& typed);

    bool isEmpty() const { return m_bytes.isEmpty(); }
    const QByteArray& typed() const { return m_bytes; } ///< in lower case
    bool fits(const QByteArray& name) const;            ///< true where nothing was typed
    bool fits(const QString& text) const;               ///< prose: only what contains it

private:
    QString m_text;
    QByteArray m_bytes;
    bool m_glob = false;
};

} // namespace lk
