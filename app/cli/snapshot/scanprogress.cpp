// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/snapshot/scanprogress.h"

#include "backend/platform/streams.h"
#include "backend/text/scantext.h"

#include <cstdio>

namespace lk {

namespace {

constexpr qint64 silentMs = 500;  // a scan that ends earlier shows no line
constexpr qint64 betweenMs = 200; // between two updates

} // namespace

ScanProgress::ScanProgress()
    : m_isTerminal(isTerminal(standardError))
{}

ScanProgress::~ScanProgress()
{
    end();
}

void ScanProgress::show(qint64 scanned, qint64 expected)
{
    if (!m_isTerminal)
        return;
    if (!m_since.isValid())
        m_since.start();
    if (m_since.elapsed() < silentMs ||
        (m_sinceShown.isValid() && m_sinceShown.elapsed() < betweenMs))
        return;
    QString text = scanningText(scanned, expected, m_since.elapsed());
    text[0] = text[0].toUpper();
    m_sinceShown.start();
    if (std::exchange(m_shown, text) == text)
        return;
    std::fprintf(stderr, "\r%s\x1b[K", text.toUtf8().constData());
    std::fflush(stderr);
}

void ScanProgress::end()
{
    m_since.invalidate();
    m_sinceShown.invalidate();
    if (!std::exchange(m_shown, QString()).isEmpty()) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
    }
}

} // namespace lk
