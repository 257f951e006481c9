// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// Computes how many names one SCAN requests and how many are probed at once, so that no other
/// client waits too long. A server answers a whole batch before it turns to the next client. Learns
/// from each reply how long a command takes beyond the round trip. No I/O; used by one thread.
class SliceLength
{
public:
    void start() { *this = {}; }
    /// The replies to that many commands were complete after us microseconds.
    void answered(qint64 commands, double us);
    /// The server's part of a time: us without the round trip.
    double withoutWay(double us) const;
    /// The number of names for one slice. longestUs is the time that a slice may occupy the server;
    /// a small share of the round trip counts instead if that is more. The result is between 6, or
    /// one per 25 us of longestUs, and most.
    int names(double longestUs, int most) const;
    /// How many slices to divide the names into, so that none occupies the server for longer.
    int slices(double longestUs, qint64 names) const;

private:
    double busyUs(double longestUs) const;

    double m_shortestUs = 0;  ///< approximate round trip; 0: unknown
    double m_commandUs = 2.5; ///< the server's time for one; a cautious value until it is known
};

} // namespace lk
