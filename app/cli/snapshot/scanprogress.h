// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>

namespace lk {

/// Shows the progress of a scan as one line on standard error, which is overwritten and removed
/// again. Shown only on a terminal, and not for a scan that ends at once.
class ScanProgress final
{
public:
    ScanProgress();
    ~ScanProgress();
    ScanProgress(const ScanProgress&) = delete;
    ScanProgress& operator=(const ScanProgress&) = delete;

    /// expected: keys that the server says it has; 0: not known.
    void show(qint64 scanned, qint64 expected);
    /// Removes the line; the next output takes its place.
    void end();

private:
    const bool m_isTerminal;
    QElapsedTimer m_since; ///< not running: nothing was shown since the end
    QElapsedTimer m_sinceShown;
    QString m_shown;
};

} // namespace lk
