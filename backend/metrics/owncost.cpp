// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/metrics/owncost.h"

#include <QFile>

#include <sys/resource.h>
#include <unistd.h>

namespace lk {

OwnCost ownCost()
{
    OwnCost cost;
    rusage used{};
    if (::getrusage(RUSAGE_SELF, &used) == 0) {
        const auto seconds = [](const timeval& t) {
            return double(t.tv_sec) + double(t.tv_usec) / 1e6;
        };
        cost.cpuSeconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    }
    if (QFile file(QStringLiteral("/proc/self/statm")); file.open(QIODevice::ReadOnly))
        cost.residentBytes =
            file.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE);
    return cost;
}

} // namespace lk
