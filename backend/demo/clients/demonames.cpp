// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/demonames.h"

#include <QFile>

#include <algorithm>
#include <array>

namespace lk {

namespace {

// Prefixes of names of which a script or a command uses two at once.
constexpr std::array together{"checkout", "mail:jobs", "thumbs", "events:pending", "bull"};

} // namespace

QByteArray clusteredName(const QByteArray& key)
{
    const auto* const stem =
        std::find_if(together.begin(), together.end(), [&key](const char* each) {
            return key == each || key.startsWith(QByteArray(each) + ':');
        });
    if (stem == together.end())
        return key;
    return '{' + QByteArray(*stem) + '}' + key.mid(qsizetype(qstrlen(*stem)));
}

QByteArray demoToml(bool clustered)
{
    QFile file(QStringLiteral(":/demo/demo.toml"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    if (!clustered)
        return file.readAll();
    QByteArray all;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine();
        const qsizetype first = line.indexOf(" = \"");
        const qsizetype last = line.lastIndexOf('"');
        if (first < 0 || line.startsWith('#')) {
            all += line;
            continue;
        }
        const qsizetype value = first + 4;
        all += line.left(value) + clusteredName(line.mid(value, last - value)) + line.mid(last);
    }
    return all;
}

} // namespace lk
