// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/namefilter.h"

#include "backend/core/names/glob.h"
#include "backend/core/names/keyname.h"

namespace lk {

NameFilter::NameFilter(const QString& typed)
    : m_text(typed.trimmed())
    , m_bytes(bytesFromDisplay(m_text).toLower())
    , m_glob(!isLiteral(m_bytes))
{}

bool NameFilter::fits(const QByteArray& name) const
{
    if (m_bytes.isEmpty())
        return true;
    const QByteArray lower = name.toLower();
    return lower.contains(m_bytes) || (m_glob && globMatches(m_bytes, lower));
}

bool NameFilter::fits(const QString& text) const
{
    return text.contains(m_text, Qt::CaseInsensitive);
}

} // namespace lk
