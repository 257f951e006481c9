// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>

namespace lk {

/// How far a scan is, as one line on standard error that is written over and taken away again. Only
/// on a terminal, and not of a scan that is over at once.
class ScanProgress final
{
public:
    ScanProgress();
    ~ScanProgress();
    ScanProgress(const ScanProgress&) = delete;
    ScanProgress& operator=(const ScanProgress&) = delete;

    /// expected: keys that the server says it has; 0: not known.
    void show(qint64 scanned, qint64 expected);
    /// What follows stands where the line stood.
    void end();

private:
    const bool m_isTerminal;
    QElapsedTimer m_since; ///< not running: nothing was shown since the end
    QElapsedTimer m_sinceShown;
    QString m_shown;
};

} // namespace lk
