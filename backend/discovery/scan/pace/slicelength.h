// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// How many names one call of SCAN is to bring, and how many are asked about at once, so that no
/// other client waits for longer than it may behind that: a server answers what came in one piece
/// before it turns to the next client. Learns from each answer what a command takes beyond the way
/// there and back. No I/O; used by one thread.
class SliceLength
{
public:
    void start() { *this = {}; }
    /// A whole answer to so many commands came after so long.
    void answered(qint64 commands, double us);
    /// What is left of so long without the way there and back: the server's own part of it.
    double withoutWay(double us) const;
    /// longestUs: that the server may be busy with one slice; or as long as is little beside the
    /// way there and back, if that is more. Between 6, or one for each 25 of them, and most.
    int names(double longestUs, int most) const;
    /// Into how many slices so many names are to be divided, for none to keep it busy for longer.
    int slices(double longestUs, qint64 names) const;

private:
    double busyUs(double longestUs) const;

    double m_shortestUs = 0;  ///< the way there and back, about; 0: not known
    double m_commandUs = 2.5; ///< that the server takes for one; cautious, until it is known
};

} // namespace lk
